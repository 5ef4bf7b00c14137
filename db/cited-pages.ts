import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, between, count, countDistinct, eq, inArray, max, min, ne, sql } from "drizzle-orm";
import type { CompetitorType, Source } from "../src/core/sources.ts";
import type { tables } from "./schema.ts";
import type { Db } from "./store.ts";

type CitedRow = typeof tables.citedPages.$inferSelect;

/** Keywords that are read at once, as in db/rollups.ts. */
const KEYWORDS_AT_ONCE = 100;

/**
 * Writes what one collect's answers cite, per source: a row per page, one per domain (no page named), and one of all
 * (no domain named). Runs where the other sums of a collect are written, and replaces what it wrote before.
 */
export async function writeCitedPages(db: Db, collect: { id: string; analysisId: string }): Promise<void> {
  const { q, t } = db;
  await q.delete(t.citedPages).where(eq(t.citedPages.collectId, collect.id));
  const [last] = await q
    .select({ position: max(t.keywords.position) })
    .from(t.keywords)
    .where(eq(t.keywords.analysisId, collect.analysisId));
  const sums = new Map<string, CitedRow>();
  for (let first = 0; first <= (last?.position ?? -1); first += KEYWORDS_AT_ONCE) {
    const part = { ...collect, first, last: first + KEYWORDS_AT_ONCE - 1 };
    for (const row of await citedIn(db, part)) addTo(sums, { ...row, collectId: collect.id });
    await nextTurn();
  }
  await db.bulkInsert(t.citedPages, typedByPages([...sums.values()]));
}

/** An answer belongs to one keyword, so counts of answers of different parts add up. */
function addTo(sums: Map<string, CitedRow>, row: CitedRow): void {
  const key = `${row.source} ${row.domain} ${row.url}`;
  const known = sums.get(key);
  if (!known) sums.set(key, row);
  else {
    known.answers += row.answers;
    known.citations += row.citations;
  }
}

/** Pages of one domain can be of different kinds; the domain is what the page of it is that is cited most. */
function typedByPages(rows: CitedRow[]): CitedRow[] {
  const most = new Map<string, CitedRow>();
  for (const row of rows.filter(({ url }) => url !== "")) {
    const key = `${row.source} ${row.domain}`;
    const known = most.get(key);
    if (!known || row.answers > known.answers) most.set(key, row);
  }
  return rows.map((row) => ({
    ...row,
    competitorType: (row.url === "" ? most.get(`${row.source} ${row.domain}`) : row)?.competitorType ?? "UNKNOWN",
  }));
}

interface Part {
  id: string;
  analysisId: string;
  first: number;
  last: number;
}

async function citedIn(db: Db, part: Part): Promise<Omit<CitedRow, "collectId">[]> {
  const { answers, citations, keywords } = db.t;
  const { source } = answers;
  const { domain, url } = citations;
  const sums = {
    answers: countDistinct(citations.answerId),
    citations: count(),
    competitorType: sql<CompetitorType>`min(${citations.competitorType})`,
    brandId: sql<string | null>`max(${citations.brandId})`,
  };
  const none = sql<string>`''`;
  const from = <Columns extends Record<string, typeof source | typeof domain | typeof url | typeof none>>(
    columns: Columns,
  ) =>
    db.q
      .select({ source, ...columns, ...sums })
      .from(keywords)
      .innerJoin(answers, eq(answers.keywordId, keywords.id))
      .innerJoin(citations, eq(citations.answerId, answers.id))
      .where(
        and(
          eq(keywords.analysisId, part.analysisId),
          between(keywords.position, part.first, part.last),
          eq(answers.collectId, part.id),
        ),
      );
  const pages = await from({ domain, url }).groupBy(source, domain, url).orderBy(asc(source), asc(domain), asc(url));
  const domains = await from({ domain, url: none }).groupBy(source, domain).orderBy(asc(source), asc(domain));
  const all = await from({ domain: none, url: none }).groupBy(source).orderBy(asc(source));
  return [...pages, ...domains, ...all.map((row) => ({ ...row, brandId: null }))];
}

/** What is asked of the citations of a collect. */
export interface CitedFilter {
  collectId: string;
  sources: readonly Source[];
  by: "domain" | "page";
  brandId?: string | undefined;
  domain?: string | undefined;
  competitorTypes?: readonly CompetitorType[] | undefined;
}

/** Where a page of the list starts: after the row with these values. */
export interface AfterCited {
  answers: number;
  citations: number;
  domain: string;
  url: string;
}

/** Cited domains or pages of a collect, those in the most answers first; one row more than `limit`. */
export async function listCitedPages({ q, t }: Db, filter: CitedFilter, limit: number, after: AfterCited | null) {
  const { citedPages: cited, brands } = t;
  const answers = sql<number>`sum(${cited.answers})`;
  const citations = sql<number>`sum(${cited.citations})`;
  const place = sql`(-${answers}, -${citations}, ${cited.domain}, ${cited.url})`;
  return q
    .select({
      domain: cited.domain,
      url: cited.url,
      competitorType: min(cited.competitorType),
      brandId: max(cited.brandId),
      brand: max(brands.name),
      answers,
      citations,
    })
    .from(cited)
    .leftJoin(brands, eq(brands.id, cited.brandId))
    .where(
      and(
        eq(cited.collectId, filter.collectId),
        inArray(cited.source, [...filter.sources]),
        filter.domain === undefined ? ne(cited.domain, "") : eq(cited.domain, filter.domain),
        filter.by === "page" ? ne(cited.url, "") : eq(cited.url, ""),
        filter.brandId === undefined ? undefined : eq(cited.brandId, filter.brandId),
        filter.competitorTypes === undefined ? undefined : inArray(cited.competitorType, [...filter.competitorTypes]),
      ),
    )
    .groupBy(cited.domain, cited.url)
    .having(
      after === null
        ? undefined
        : sql`${place} > (${-after.answers}, ${-after.citations}, ${after.domain}, ${after.url})`,
    )
    .orderBy(sql`-${answers}`, sql`-${citations}`, asc(cited.domain), asc(cited.url))
    .limit(limit + 1);
}

/** Answers of a collect's sources that cite anything at all. */
export async function countCitingAnswers({ q, t }: Db, collectId: string, sources: readonly Source[]): Promise<number> {
  const [row] = await q
    .select({ answers: sql<number>`coalesce(sum(${t.citedPages.answers}), 0)` })
    .from(t.citedPages)
    .where(
      and(
        eq(t.citedPages.collectId, collectId),
        eq(t.citedPages.domain, ""),
        inArray(t.citedPages.source, [...sources]),
      ),
    );
  return row?.answers ?? 0;
}
