import { and, asc, between, countDistinct, eq, inArray, isNull, max, min, ne, or, sql } from "drizzle-orm";
import type { CompetitorType, Source } from "../../core/sources.ts";
import type { tables } from "../schema.ts";
import type { Db, Read } from "../engine/store.ts";

type CitedRow = typeof tables.citedPages.$inferSelect;

/** Questions that are read at once, as in db/measuring/rollups.ts. */
const QUESTIONS_AT_ONCE = 100;

/**
 * Counts what one collect's answers cite, per source: a row per page, one per domain (no page named), and one of all
 * (no domain named). Waits for `pause` after each part.
 */
export async function countCitedPages(
  read: Read,
  collect: { id: string; analysisId: string },
  pause: () => Promise<void>,
): Promise<CitedRow[]> {
  const [last] = await read(({ q, t }) =>
    q
      .select({ position: max(t.questions.position) })
      .from(t.questions)
      .where(eq(t.questions.analysisId, collect.analysisId)),
  );
  const sums = new Map<string, Counted>();
  for (let first = 0; first <= (last?.position ?? -1); first += QUESTIONS_AT_ONCE) {
    const part = { ...collect, first, last: first + QUESTIONS_AT_ONCE - 1 };
    for (const citation of await read((db) => citationsIn(db, part))) count(sums, citation, collect.id);
    await pause();
  }
  return typedByPages([...sums.values()].map(({ row }) => row));
}

interface Counted {
  row: CitedRow;
  /** Citations of one answer come one after the other, so the last answer tells whether this one was counted. */
  lastAnswer: string;
}

/** Adds a citation to its page, to its domain, and to all of its source. */
function count(sums: Map<string, Counted>, citation: Citation, collectId: string): void {
  const { answerId, source, domain, url, competitorType, brandId } = citation;
  const levels = [
    { domain, url, brandId },
    { domain, url: "", brandId },
    { domain: "", url: "", brandId: null },
  ];
  for (const level of levels) {
    const key = `${source} ${level.domain} ${level.url}`;
    let known = sums.get(key);
    if (!known) {
      known = { row: { collectId, source, ...level, competitorType, answers: 0, citations: 0 }, lastAnswer: "" };
      sums.set(key, known);
    }
    known.row.citations += 1;
    if (known.lastAnswer !== answerId) known.row.answers += 1;
    known.lastAnswer = answerId;
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

async function citationsIn(db: Db, part: Part) {
  const { answers, citations, questions } = db.t;
  return db.q
    .select({
      answerId: citations.answerId,
      source: answers.source,
      domain: citations.domain,
      url: citations.url,
      competitorType: citations.competitorType,
      brandId: citations.brandId,
    })
    .from(questions)
    .innerJoin(answers, eq(answers.questionId, questions.id))
    .innerJoin(citations, eq(citations.answerId, answers.id))
    .where(
      and(
        eq(questions.analysisId, part.analysisId),
        between(questions.position, part.first, part.last),
        eq(answers.collectId, part.id),
      ),
    )
    .orderBy(asc(citations.answerId), asc(citations.position));
}
type Citation = Awaited<ReturnType<typeof citationsIn>>[number];

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

/** Eligible answers of a collect to some questions. */
export interface AnswersTo {
  collectId: string;
  questionIds: readonly string[];
}

/** Pages that these answers cite, by domain and address, a row per source; without those of `exceptBrandId`. */
export async function listPagesCitedIn({ q, t }: Db, { collectId, questionIds }: AnswersTo, exceptBrandId?: string) {
  if (questionIds.length === 0) return [];
  return q
    .select({
      domain: t.citations.domain,
      url: t.citations.url,
      siteType: t.citations.competitorType,
      source: t.answers.source,
      answers: countDistinct(t.answers.id),
    })
    .from(t.answers)
    .innerJoin(t.citations, eq(t.citations.answerId, t.answers.id))
    .where(
      and(
        eq(t.answers.collectId, collectId),
        inArray(t.answers.questionId, [...questionIds]),
        eq(t.answers.eligible, true),
        exceptBrandId === undefined
          ? undefined
          : or(isNull(t.citations.brandId), ne(t.citations.brandId, exceptBrandId)),
      ),
    )
    .groupBy(t.citations.domain, t.citations.url, t.citations.competitorType, t.answers.source)
    .orderBy(asc(t.citations.domain), asc(t.citations.url), asc(t.answers.source));
}
