import { and, asc, count, desc, eq, gt, gte, inArray, lt, lte, ne, notInArray, sql, sum, type SQL } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { Source } from "../../core/sources/sources.ts";
import { brandPresenceCondition, selectBrandNumbers, type BrandPresence } from "./brand-conditions.ts";
import { citedCondition, type CitedPlace } from "./cited-condition.ts";
import { visibleCondition, buildAnswerSummaryColumns, MAX_WORKSPACE_KEYS } from "./answers.ts";
import type { tables } from "../schema.ts";
import { matches } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export interface AnswerFilter extends BrandPresence {
  collectIds?: readonly string[] | undefined;
  questionId?: string | undefined;
  sources?: readonly Source[] | undefined;
  questionCondition?: SQL | undefined;
  cited?: CitedPlace | undefined;
  isInformative?: boolean | undefined;
}

const EXCERPT_LENGTH = 400;

/** Sparse filters must not block other requests. */
const MAX_SEARCHED = 25_000;
/** For scans that look up each answer in another table. */
const MAX_LOOKED_UP = 10_000;
/** Sorts after every id, since ids are hexadecimal; BEFORE_ALL_IDS sorts before. */
const AFTER_ALL_IDS = "~";
const BEFORE_ALL_IDS = "";

type SortDirection = "asc" | "desc";

/** `searchedTo`: id where the scan stopped, null at the end. `total`: first pages only. */
export async function listAnswers(
  tenant: Tenant,
  analysisId: string,
  filter: AnswerFilter,
  page: Page & { direction: SortDirection },
) {
  const { q, t } = tenant.db;
  const { id, text } = t.answers;
  const search = await planSearch(tenant, analysisId, filter);
  const stretch = await findSearchRange(tenant, search, { direction: page.direction, after: page.after?.[0] });
  const matching = and(filterConditions(tenant, search), stretch.within);
  const rows = await q
    .select({
      ...buildAnswerSummaryColumns(t),
      excerpt: sql<string>`substr(${text}, 1, ${EXCERPT_LENGTH})`,
      length: sql<number>`length(${text})`,
    })
    .from(t.answers)
    .innerJoin(t.collects, eq(t.collects.id, t.answers.collectId))
    .where(matching)
    .orderBy(page.direction === "desc" ? desc(id) : asc(id))
    .limit(page.limit + 1);
  const counted = async () => {
    const [row] = await q.select({ answers: count() }).from(t.answers).where(matching);
    return { answers: row?.answers ?? 0, isExact: stretch.stopId === null };
  };
  const total = page.after ? null : ((await countStoredTotal(tenant, analysisId, filter)) ?? (await counted()));
  return { rows, searchedTo: stretch.stopId, total };
}
export type AnswerSummaryRow = Omit<Awaited<ReturnType<typeof listAnswers>>["rows"][number], "excerpt" | "length">;

export interface AnswerTotal {
  answers: number;
  isExact: boolean;
}

async function countStoredTotal(
  { db: { q, t }, workspaceId }: Tenant,
  analysisId: string,
  { collectIds, ...narrower }: AnswerFilter,
): Promise<AnswerTotal | undefined> {
  if (Object.values(narrower).some((value) => value !== undefined)) return undefined;
  const { collects, analyses } = t;
  const [row] = await q
    .select({ answers: sum(collects.succeeded).mapWith(Number) })
    .from(collects)
    .innerJoin(analyses, eq(analyses.id, collects.analysisId))
    .where(
      and(
        matches(collects, { analysisId, workspaceId, id: collectIds }),
        ne(analyses.type, "geo_audit"),
        visibleCondition(t),
      ),
    );
  return { answers: row?.answers ?? 0, isExact: true };
}

/** Imported answers become visible all at once, when their collect completes. */
function selectHiddenCollects({ q, t }: Pick<Db, "q" | "t">, analysisId: string) {
  const { collects } = t;
  return q
    .select({ id: collects.id })
    .from(collects)
    .where(matches(collects, { analysisId, isImported: true, finishedAt: null }));
}

interface AnswerSearch extends AnswerFilter {
  analysisId: string;
  /** The scanned index; `brand` if so few answers name the brand that they can be sorted. */
  by: "analysis" | "question" | "brand";
}

async function planSearch(tenant: Tenant, analysisId: string, filter: AnswerFilter): Promise<AnswerSearch> {
  const { brandId, questionId } = filter;
  const isRare = brandId !== undefined && questionId === undefined && (await isRareBrand(tenant, brandId));
  return { ...filter, analysisId, by: isRare ? "brand" : questionId === undefined ? "analysis" : "question" };
}

/** `stop` is null at the end of the list. */
async function findSearchRange(
  tenant: Tenant,
  search: AnswerSearch,
  { direction, after }: { direction: SortDirection; after?: string | undefined },
): Promise<{ within: SQL | undefined; stopId: string | null }> {
  const { q, t } = tenant.db;
  const { id } = t.answers;
  const falls = direction === "desc";
  const [first, last] = await findIdRange(tenant, search.collectIds);
  // SQLite uses one bound per side, so only the tighter bound is given.
  const begins = falls
    ? after !== undefined && after <= last
      ? lt(id, after)
      : lte(id, last)
    : after !== undefined && after >= first
      ? gt(id, after)
      : gte(id, first);
  const among = and(begins, falls ? gte(id, first) : lte(id, last));
  if (search.by === "brand") return { within: among, stopId: null };
  const { by, questionCondition, brandId, absentBrandIds, named, cited } = search;
  const isLookedUp = by === "question" || [questionCondition, brandId, absentBrandIds, named, cited].some(Boolean);
  const [end, behind] = await q
    .select({ id })
    .from(t.answers)
    .where(and(searchCondition(t, search), among))
    .orderBy(falls ? desc(id) : asc(id))
    .limit(2)
    .offset((isLookedUp ? MAX_LOOKED_UP : MAX_SEARCHED) - 1);
  if (!end || !behind) return { within: among, stopId: null };
  return { within: and(begins, falls ? gte(id, end.id) : lte(id, end.id)), stopId: end.id };
}

/** Collects that ran at the same time overlap the range. */
async function findIdRange(
  { db: { q, t } }: Tenant,
  collectIds: readonly string[] | undefined,
): Promise<[first: string, last: string]> {
  if (collectIds === undefined) return [BEFORE_ALL_IDS, AFTER_ALL_IDS];
  const { id } = t.answers;
  let [first, last] = [AFTER_ALL_IDS, BEFORE_ALL_IDS];
  // One run at a time, because the index is by run and id.
  for (const collectId of collectIds) {
    const end = async (side: SQL) => {
      const own = q.select({ id }).from(t.answers).where(eq(t.answers.collectId, collectId));
      return (await own.orderBy(side).limit(1))[0]?.id;
    };
    const [from, to] = [(await end(asc(id))) ?? AFTER_ALL_IDS, (await end(desc(id))) ?? BEFORE_ALL_IDS];
    if (from < first) first = from;
    if (to > last) last = to;
  }
  return [first, last];
}

function searchCondition(t: typeof tables, { by, analysisId, questionId }: AnswerSearch): SQL {
  return by === "question" ? eq(t.answers.questionId, questionId ?? "") : eq(t.answers.analysisId, analysisId);
}

function filterConditions(tenant: Tenant, search: AnswerSearch) {
  const { q, t } = tenant.db;
  const { by, collectIds, sources, questionCondition, brandId, absentBrandIds, named, isInformative } = search;
  // The unary plus keeps SQLite from using an index on the column.
  const collect = sql`+${t.answers.collectId}`;
  const analysis = q
    .select({ id: t.analyses.id })
    .from(t.analyses)
    .where(matches(t.analyses, { id: search.analysisId, workspaceId: tenant.workspaceId }));
  return and(
    by === "analysis" ? eq(t.answers.analysisId, analysis) : eq(sql`+${t.answers.analysisId}`, analysis),
    by === "question" ? searchCondition(t, search) : undefined,
    by === "brand" && brandId !== undefined
      ? inArray(t.answers.key, selectAnswersWithBrand(tenant, brandId))
      : undefined,
    collectIds === undefined ? undefined : inArray(collect, [...collectIds]),
    notInArray(collect, selectHiddenCollects(tenant.db, search.analysisId)),
    matches(t.answers, { source: sources, isInformative }),
    questionCondition,
    brandPresenceCondition(tenant, { absentBrandIds, named, brandId: by === "brand" ? undefined : brandId }),
    citedCondition(tenant.db, search.cited),
  );
}

/** Brands named more often are found by scanning. */
const MAX_SORTED_ANSWERS = 2000;

function selectAnswersWithBrand(tenant: Tenant, brandId: string) {
  const { q, t } = tenant.db;
  const base = q
    .select({ base: t.answerKeys.base })
    .from(t.answerKeys)
    .where(eq(t.answerKeys.workspaceId, tenant.workspaceId));
  const { answerKey } = t.places;
  // Brand numbers start at 1 in every workspace, so the key range restricts the workspace.
  const inWorkspace = and(gte(answerKey, base), lt(answerKey, sql`${base} + ${MAX_WORKSPACE_KEYS}`));
  return q
    .select({ answerKey })
    .from(t.places)
    .where(and(inArray(t.places.brandNumber, selectBrandNumbers(tenant, [brandId])), inWorkspace));
}

async function isRareBrand(tenant: Tenant, brandId: string): Promise<boolean> {
  const more = await selectAnswersWithBrand(tenant, brandId).limit(1).offset(MAX_SORTED_ANSWERS);
  return more.length === 0;
}
