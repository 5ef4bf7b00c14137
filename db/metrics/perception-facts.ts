import { and, eq, inArray } from "drizzle-orm";
import { unpackPerception } from "../../core/metrics/facts/collect-perception.ts";
import type { StoredPerception } from "../../core/metrics/facts/stored-perception.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { createFactsReader } from "../answers/facts-reader.ts";

export const listPerceptionFacts = createFactsReader("collectPerception", unpackPerception);

/** One query for all quotes of a page. */
export async function findQuotedAnswers({ db: { q, t }, workspaceId }: Tenant, keys: Iterable<number>) {
  const rows = await q
    .select({
      ...pick(t.answers, "key", "id", "source", "text"),
      spans: t.perceptions.spans,
    })
    .from(t.answers)
    .innerJoin(t.perceptions, eq(t.perceptions.answerKey, t.answers.key))
    .where(matches(t.answers, { workspaceId, key: [...new Set(keys)] }));
  return new Map(rows.map((row) => [row.key, row]));
}

/** Omits archived brands. Returns null if no opinions were extracted. */
export async function findPerception({ db: { q, t }, workspaceId }: Tenant, key: number) {
  const [row] = await q
    .select({ spans: t.perceptions.spans })
    .from(t.perceptions)
    .where(eq(t.perceptions.answerKey, key));
  if (!row) return null;
  const { language, unjudged, stances, points, comparisons, attributes } = row.spans;
  const brands = await q
    .select({ number: t.brands.number, id: t.brands.id, name: t.brands.name })
    .from(t.brands)
    .where(
      and(matches(t.brands, { workspaceId, archivedAt: null }), inArray(t.brands.number, listBrandNumbers(row.spans))),
    );
  const names = new Map(brands.map(({ number, ...brand }) => [number, brand]));
  const named = <Span extends { brand: number }>(spans: readonly Span[]) =>
    spans.flatMap(({ brand: number, ...span }) => {
      const brand = names.get(number);
      return brand ? [{ brand_id: brand.id, brand: brand.name, ...span }] : [];
    });
  return {
    language,
    unjudged,
    stances: named(stances),
    points: named(points),
    comparisons: comparisons.flatMap(({ better, worse, isDraw = false, ...span }) => {
      const [one, other] = [names.get(better), names.get(worse)];
      return one && other
        ? [{ better: one.name, better_id: one.id, worse: other.name, worse_id: other.id, is_draw: isDraw, ...span }]
        : [];
    }),
    attributes: named(attributes),
  };
}

function listBrandNumbers({ stances, points, comparisons, attributes }: StoredPerception): number[] {
  const pairs = comparisons.flatMap(({ better, worse }) => [better, worse]);
  return [...new Set([...[...stances, ...points, ...attributes].map(({ brand }) => brand), ...pairs])];
}
