import { asc, eq, gt, like, sql } from "drizzle-orm";
import type { Source } from "../../core/sources/sources.ts";
import type { Store } from "../../db/engine/store.ts";
import { openCommitted } from "../../test/support/committed.ts";
import { keyOf } from "./judge.ts";
import { textFor } from "./wire.ts";

/** Stored outcome of each question. */
export async function storedEnds(store: Store): Promise<Map<string, string>> {
  const { q, t } = openCommitted(store);
  const rows = await q
    .select({ prompt: t.questions.text, source: t.jobs.source, status: t.jobs.status, outcome: t.jobs.outcome })
    .from(t.jobs)
    .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId));
  const endOf = ({ status, outcome }: (typeof rows)[number]) =>
    outcome ?? (status === "succeeded" ? "answered" : status);
  // Safe: the query is not paged.
  return new Map(rows.map((row) => [keyOf({ prompt: row.prompt, source: row.source as Source }), endOf(row)]));
}

const PAGE = 1000;

/** Number of stored answers, and questions that hold another question's answer. */
export async function storedAnswers(store: Store, ends: ReadonlyMap<string, string>) {
  const { q, t } = openCommitted(store);
  const wrong: string[] = [];
  let [count, after] = [0, ""];
  for (;;) {
    const page = await q
      .select({ id: t.answers.id, prompt: t.answers.prompt, source: t.answers.source, rawBody: t.answers.rawBody })
      .from(t.answers)
      .where(gt(t.answers.id, after))
      .orderBy(asc(t.answers.id))
      .limit(PAGE);
    if (page.length === 0) return { count, wrong };
    for (const { prompt, source, rawBody } of page) {
      const key = keyOf({ prompt, source });
      const own = JSON.stringify(textFor({ prompt, source })).slice(1, -1);
      if (ends.get(key) === "answered" && !rawBody.includes(own) && !rawBody.includes(NO_RESULTS)) wrong.push(key);
    }
    [count, after] = [count + page.length, page.at(-1)?.id ?? ""];
  }
}

/** Answer text for an empty page of results. */
export const NO_RESULTS = "no results here";

/** Spending at a provider in millionths of a US dollar: by the cap's account, and by the ledger. */
export interface Money {
  spent: number;
  reserved: number;
  ledger: number;
}

/** Returns the spending at each provider. */
export async function storedSpending(store: Store): Promise<(provider: string) => Money> {
  const { q, t } = openCommitted(store);
  const accounts = await q.select().from(t.spendAccounts).where(like(t.spendAccounts.period, "____-__"));
  const ledger = await q.select().from(t.providerSpend);
  return (provider: string) => {
    const account = accounts.find(({ owner }) => owner === `provider:${provider}`);
    const usd = ledger.filter((row) => row.provider === provider).reduce((sum, row) => sum + row.usd, 0);
    return { spent: account?.spent ?? 0, reserved: account?.reserved ?? 0, ledger: Math.round(usd * 1_000_000) };
  };
}

/** Polls spent and reserved amounts of each provider until stopped; returns those above a cap. */
export function watchSpending(store: Store, capMicrosOf: (provider: string) => number) {
  const { q, t } = openCommitted(store);
  const over: string[] = [];
  let looks = 0;
  const look = async () => {
    const rows = await q.select().from(t.spendAccounts).where(like(t.spendAccounts.owner, "provider:%"));
    looks += 1;
    for (const { owner, spent, reserved } of rows) {
      const name = owner.slice("provider:".length);
      if (spent + reserved > capMicrosOf(name)) over.push(`${name}: ${spent} spent and ${reserved} reserved`);
    }
  };
  const timer = setInterval(() => void look(), 20);
  return {
    async stop() {
      clearInterval(timer);
      await look();
      return { looks, over };
    },
  };
}

/** Number of completed or failed questions. */
export async function countEndedQuestions(store: Store): Promise<number> {
  const { q, t } = openCommitted(store);
  const [row] = await q.select({ ended: sql<number>`coalesce(sum(succeeded + failed), 0)` }).from(t.collects);
  return row?.ended ?? 0;
}

export async function areCollectsFinished(store: Store): Promise<boolean> {
  const { q, t } = openCommitted(store);
  return (await q.$count(t.collects, sql`${t.collects.finishedAt} is null`)) === 0;
}
