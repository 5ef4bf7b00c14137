import { z } from "zod";
import type { PageOutcomes } from "../../core/audits/audit-rows.ts";
import { CHECK_OUTCOMES, type AuditArea, type CheckOutcome } from "../../core/audits/check.ts";
import { PAGE_TYPES } from "../../core/audits/page-type.ts";
import { listQuery, SortDirectionField } from "../../core/shared/fields.ts";
import { toPage, type Page } from "../../core/shared/pagination.ts";
import type { Tenant } from "../../db/engine/store.ts";
import {
  countPageChanges,
  listPageSummaries,
  listPageOutcomes,
  listPageScores,
  type StoredPageSummary,
} from "../../db/audits/audit-pages.ts";
import { nameOrId } from "../name-or-id.ts";
import { auditPath } from "./audit-run.ts";

export const PAGE_SORTS = {
  score: "asc",
  url: "asc",
  type: "asc",
  outcome: "asc",
  crawlability: "asc",
  semantic: "asc",
  content: "asc",
  failed: "desc",
  warned: "desc",
  changes: "desc",
} as const;
type PageSort = keyof typeof PAGE_SORTS;

export const AuditPagesInput = z.strictObject({
  ...auditPath,
  outcome: z.enum(CHECK_OUTCOMES).optional().describe("Outcome of the page, or of check if given."),
  check: nameOrId("audit_check")
    .optional()
    .describe("Check id, from get_audit. Without outcome: pages that fail or warn."),
  type: z.enum(PAGE_TYPES).optional().describe("Page type, as corrected or detected."),
  min_score: z.int().min(0).max(100).optional().describe("Minimum score."),
  max_score: z.int().min(0).max(100).optional().describe("Maximum score."),
  sort: z
    .enum([...(Object.keys(PAGE_SORTS) as [PageSort, ...PageSort[]]), "-score"])
    .default("score")
    .describe("score: worst first."),
  sort_direction: SortDirectionField.optional(),
  ...listQuery,
});
export type AuditPagesInput = z.output<typeof AuditPagesInput>;

const STORED_SORTS: ReadonlySet<AuditPagesInput["sort"]> = new Set(["score", "-score", "url", "type", "outcome"]);

/** Takes about 30 ms for 5,000 pages. */
export function readsAllPages({ check, sort }: AuditPagesInput): boolean {
  return check !== undefined || !STORED_SORTS.has(sort);
}

/** The cursor is the last row, not an offset, because a running audit adds pages. */
export async function selectPages(tenant: Tenant, collectId: string, input: AuditPagesInput, page: Page) {
  const rows = (await listPageSummaries(tenant, collectId)).filter((row) => matchesFilter(row, input));
  const ofCheck = await filterByCheck(tenant, collectId, rows, input);
  const sorted = await sortPages(tenant, collectId, ofCheck, input);
  const [, lastId, count = 0] = page.after ?? [];
  const last = lastId === undefined ? -1 : sorted.findIndex(({ pageId }) => pageId === lastId);
  const first = last === -1 ? Number(count) : last + 1;
  const shown = sorted
    .slice(first, first + page.limit + 1)
    .map((row, at) => ({ id: row.pageId, next: first + at + 1 }));
  const { data, next_cursor } = toPage("audit-pages", input, shown, {
    key: ({ id, next }) => [collectId, id, next],
    row: ({ id }) => id,
  });
  return { ids: data, next_cursor, total_count: sorted.length };
}

function matchesFilter(
  row: StoredPageSummary,
  { check, outcome, type, min_score: minScore, max_score: maxScore }: AuditPagesInput,
): boolean {
  if (check === undefined && outcome !== undefined && row.outcome !== outcome) return false;
  if (type !== undefined && (row.correctedType ?? row.pageType) !== type) return false;
  if (minScore === undefined && maxScore === undefined) return true;
  return row.score !== null && row.score >= (minScore ?? 0) && row.score <= (maxScore ?? 100);
}

async function filterByCheck(
  tenant: Tenant,
  collectId: string,
  rows: readonly StoredPageSummary[],
  input: AuditPagesInput,
) {
  const { check, outcome } = input;
  if (check === undefined) return rows;
  const outcomes = await listPageOutcomes(tenant, collectId);
  return rows.filter(({ pageId }) => {
    const found = findOutcome(check, outcomes.get(pageId));
    return outcome === undefined ? found === "fail" || found === "warn" : found === outcome;
  });
}

/** A check not listed under another outcome has passed, unless the page was never checked. */
function findOutcome(check: string, outcomes: PageOutcomes | undefined): CheckOutcome | undefined {
  if (!outcomes) return undefined;
  const listed = (["fail", "warn", "skipped"] as const).find((one) => outcomes[one].includes(check));
  return listed ?? (outcomes.passed > 0 ? "pass" : undefined);
}

/** Pages without a value come last in both directions; ties keep setup order. */
async function sortPages(
  tenant: Tenant,
  collectId: string,
  rows: readonly StoredPageSummary[],
  { sort: column, sort_direction: direction }: AuditPagesInput,
): Promise<StoredPageSummary[]> {
  const sort = column === "-score" ? "score" : column;
  const usual = column === "-score" ? "desc" : PAGE_SORTS[sort];
  const way = (direction ?? usual) === "asc" ? 1 : -1;
  const value = await SORT_VALUES[sort](tenant, collectId);
  return rows
    .map((row) => ({ row, value: value(row) ?? null }))
    .toSorted(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return a === b ? 0 : a < b ? -way : way;
    })
    .map(({ row }) => row);
}

const WORST_FIRST: readonly CheckOutcome[] = ["fail", "warn", "pass", "skipped"];

type SortValue = (row: StoredPageSummary) => string | number | null | undefined;

const SORT_VALUES: Readonly<Record<PageSort, (tenant: Tenant, collectId: string) => SortValue | Promise<SortValue>>> = {
  score:
    () =>
    ({ score }) =>
      score,
  url:
    () =>
    ({ url }) =>
      url,
  type:
    () =>
    ({ correctedType, pageType }) =>
      correctedType ?? pageType,
  outcome:
    () =>
    ({ outcome }) =>
      WORST_FIRST.indexOf(outcome),
  crawlability: createScoreSort("crawlability"),
  semantic: createScoreSort("semantic"),
  content: createScoreSort("content"),
  failed: createOutcomeSort("fail"),
  warned: createOutcomeSort("warn"),
  async changes(tenant, collectId) {
    const changes = await countPageChanges(tenant, collectId);
    return ({ pageId }) => changes.get(pageId) ?? 0;
  },
};

function createScoreSort(area: AuditArea) {
  return async (tenant: Tenant, collectId: string): Promise<SortValue> => {
    const scores = await listPageScores(tenant, collectId);
    return ({ pageId }) => scores.get(pageId)?.[area].score;
  };
}

function createOutcomeSort(outcome: "fail" | "warn") {
  return async (tenant: Tenant, collectId: string): Promise<SortValue> => {
    const outcomes = await listPageOutcomes(tenant, collectId);
    return ({ pageId }) => outcomes.get(pageId)?.[outcome].length ?? 0;
  };
}
