import { instantOf } from "../../core/shared/time.ts";
import { microsOf, usdOf } from "../../core/credits/micros.ts";
import { counted } from "../../core/audits/plural.ts";
import { ASKED_SOURCES } from "../../core/sources/asked-sources.ts";
import type { Db } from "../../db/engine/store.ts";
import { isWanted, type PaidFor } from "../../core/analyses/keyword-figures.ts";
import { listProviderSpend } from "../../db/sources/provider-spend.ts";
import { findBalance, listExcessBills, providerAccounts } from "../../db/sources/spend-accounts.ts";
import { priceOf, tellerOfKeywords } from "../outside/sources/keyword-tasks.ts";
import type { Provider, Sources } from "../outside/sources/provider.ts";

export async function spendingNotes(
  db: Db,
  { sources, providers }: { sources: Sources; providers: readonly Provider[] },
): Promise<string[]> {
  const answering = ASKED_SOURCES.map((asked) => sources[asked]).filter((one): one is Provider => one.name !== null);
  const teller = tellerOfKeywords(providers);
  const all = [...answering, ...(teller ? [teller] : [])];
  const now = instantOf(Date.now());
  const billed = await listProviderSpend(db, [...new Set(all.map(({ name }) => name))], now);
  const notes: string[] = [];
  for (const provider of new Set(all)) {
    const { name, limits } = provider;
    const usd = billed.get(name) ?? 0;
    if (usd > 0) notes.push(`${name} billed $${dollars(usd)} this month.`);
    const { providerDay, providerMonth } = providerAccounts(name, now.slice(0, 10));
    for (const [account, capUsd, period] of [
      [providerDay, limits.dailyCapUsd, "today"],
      [providerMonth, limits.spendCapUsd, "this month"],
    ] as const) {
      if (capUsd === null) continue;
      const { spent, reserved } = await findBalance(db, account);
      const underWay = reserved > 0 ? `, and $${dollars(usdOf(reserved))} is reserved for questions under way` : "";
      notes.push(`${name}: $${dollars(usdOf(spent))} of $${capUsd} is spent ${period}${underWay}.`);
    }
    for (const { source, micros, bills } of await listExcessBills(db, { provider: name })) {
      const { mostUsd } = priceOf(provider, source);
      const isStopped = mostUsd !== null && micros > microsOf(mostUsd);
      const said = `${name} billed more for ${paidForInWords(source)} than was reserved, ${counted(bills, "time")}, at most $${dollars(usdOf(micros))}`;
      notes.push(isStopped ? `${said}: ${stopOf(provider, usdOf(micros))}` : `${said}.`);
    }
  }
  return notes;
}

function paidForInWords(paidFor: PaidFor): string {
  return isWanted(paidFor) ? `the ${paidFor} of keywords` : paidFor;
}

/** Stops every use of the provider, because its other prices may be wrong too. */
function stopOf({ variables, keywords }: Provider, usd: number): string {
  const variable = variables.find((name) => name.endsWith("_MOST_USD")) ?? "its most";
  const nothing = keywords ? "no source and no keyword is asked of it" : "no source is asked of it";
  return `${nothing} until ${variable} is ${dollars(usd)} or more.`;
}

function dollars(usd: number): string {
  return String(Number(usd.toFixed(6)));
}
