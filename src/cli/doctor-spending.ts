import { toInstant } from "../../core/shared/time.ts";
import { usdToMicros, toUsd } from "../../core/credits/micros.ts";
import { countNoun } from "../../core/audits/count-noun.ts";
import { JOB_SOURCES } from "../../core/sources/sources.ts";
import type { Db } from "../../db/engine/store.ts";
import { isKeywordDataKind, type PaidItem } from "../../core/analyses/keyword-data.ts";
import { listProviderSpend } from "../../db/sources/source-spend.ts";
import { findSpendBalance, listExcessBills, buildProviderAccounts } from "../../db/sources/spend-accounts.ts";
import { getPrice, findKeywordProvider } from "../outside/sources/keyword-tasks.ts";
import type { Provider, Sources } from "../outside/sources/provider.ts";

export async function describeExcessBills(
  db: Db,
  { sources, providers }: { sources: Sources; providers: readonly Provider[] },
): Promise<string[]> {
  const answering = JOB_SOURCES.map((asked) => sources[asked]).filter((one): one is Provider => one.name !== null);
  const keywordProvider = findKeywordProvider(providers);
  const all = [...answering, ...(keywordProvider ? [keywordProvider] : [])];
  const now = toInstant(Date.now());
  const billed = await listProviderSpend(db, [...new Set(all.map(({ name }) => name))], now);
  const notes: string[] = [];
  for (const provider of new Set(all)) {
    const { name, limits } = provider;
    const usd = billed.get(name) ?? 0;
    if (usd > 0) notes.push(`${name} billed $${formatDollars(usd)} this month.`);
    const { providerDay, providerMonth } = buildProviderAccounts(name, now.slice(0, 10));
    for (const [account, capUsd, period] of [
      [providerDay, limits.dailyCapUsd, "today"],
      [providerMonth, limits.spendCapUsd, "this month"],
    ] as const) {
      if (capUsd === null) continue;
      const { spent, reserved } = await findSpendBalance(db, account);
      const reservedText =
        reserved > 0 ? `, and $${formatDollars(toUsd(reserved))} is reserved for prompts in progress` : "";
      notes.push(`${name}: $${formatDollars(toUsd(spent))} of $${capUsd} is spent ${period}${reservedText}.`);
    }
    for (const { source, micros, bills } of await listExcessBills(db, { provider: name })) {
      const { maxUsd } = getPrice(provider, source);
      const isStopped = maxUsd !== null && micros > usdToMicros(maxUsd);
      const note = `${name} billed more for ${describePaidItem(source)} than its limit, ${countNoun(bills, "time")}, up to $${formatDollars(toUsd(micros))}`;
      notes.push(isStopped ? `${note}: ${describeStop(provider, toUsd(micros))}` : `${note}.`);
    }
  }
  return notes;
}

function describePaidItem(paidFor: PaidItem): string {
  return isKeywordDataKind(paidFor) ? `the ${paidFor} of prompts` : paidFor;
}

/** Every use of the provider stops, because its other prices may be wrong too. */
function describeStop({ variables, keywords }: Provider, usd: number): string {
  const variable = variables.find((name) => name.endsWith("_MOST_USD")) ?? "its price limit";
  const nothing = keywords ? "no prompts and no keyword data requests are sent to it" : "no prompts are sent to it";
  return `${nothing} until ${variable} is ${formatDollars(usd)} or more.`;
}

function formatDollars(usd: number): string {
  return String(Number(usd.toFixed(6)));
}
