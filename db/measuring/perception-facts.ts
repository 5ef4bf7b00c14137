import { and, eq, inArray } from "drizzle-orm";
import { openPerception } from "../../core/measuring/collect-perception.ts";
import type { Tenant } from "../engine/store.ts";
import { openerOf } from "./opened-facts.ts";

/** What the answers of a collect say of brands, by source, opened. Their keys (`answerKeyOf`) are what `findQuotedAnswers` takes. */
export const listPerceptionFacts = openerOf("collectPerception", openPerception);

/** Answers of the workspace by key, each with its text and what was read from it: one query, for all quotations of a page. */
export async function findQuotedAnswers({ db: { q, t }, workspaceId }: Tenant, keys: Iterable<number>) {
  const rows = await q
    .select({
      key: t.answers.key,
      id: t.answers.id,
      source: t.answers.source,
      text: t.answers.text,
      spans: t.perceptions.spans,
    })
    .from(t.answers)
    .innerJoin(t.perceptions, eq(t.perceptions.answerKey, t.answers.key))
    .where(and(eq(t.answers.workspaceId, workspaceId), inArray(t.answers.key, [...new Set(keys)])));
  return new Map(rows.map((row) => [row.key, row]));
}
