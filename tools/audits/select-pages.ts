import type { PageOutcomes } from "../../core/audit/audit-rows.ts";
import type { CheckOutcome } from "../../core/audit/check.ts";
import { pageOf, type Page } from "../../core/page.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { countPageChanges, listPageKeys, listPageOutcomes, type PageKeys } from "../../db/measuring/audit-pages.ts";
import type { AuditPagesInput } from "./list-audit-pages.ts";

export const PAGE_SORTS = ["score", "-score", "url", "changes"] as const;

/** True where the checks of all pages are read: about 30 ms for 5,000. */
export function isOverAllPages({ check, sort }: AuditPagesInput): boolean {
  return check !== undefined || sort === "changes";
}

/**
 * Ids of one page of a list of the pages of a run, and how many there are. A run that goes on adds pages: the next page of the list goes on
 * after the last row of this one, wherever that is by then.
 */
export async function selectPages(tenant: Tenant, collectId: string, input: AuditPagesInput, page: Page) {
  const rows = (await listPageKeys(tenant, collectId)).filter((row) => fits(row, input));
  const ofCheck = await withCheck(tenant, collectId, rows, input);
  const sorted = await inOrder(tenant, collectId, ofCheck, input.sort);
  const [, lastId, count = 0] = page.after ?? [];
  const last = lastId === undefined ? -1 : sorted.findIndex(({ pageId }) => pageId === lastId);
  const first = last === -1 ? Number(count) : last + 1;
  const shown = sorted
    .slice(first, first + page.limit + 1)
    .map((row, at) => ({ id: row.pageId, next: first + at + 1 }));
  const { data, next_cursor } = pageOf("audit-pages", input, shown, {
    key: ({ id, next }) => [collectId, id, next],
    row: ({ id }) => id,
  });
  return { ids: data, next_cursor, total_count: sorted.length };
}

function fits(row: PageKeys, { check, outcome, type, min_score: least, max_score: most }: AuditPagesInput): boolean {
  if (check === undefined && outcome !== undefined && row.outcome !== outcome) return false;
  if (type !== undefined && (row.correctedType ?? row.pageType) !== type) return false;
  if (least === undefined && most === undefined) return true;
  return row.score !== null && row.score >= (least ?? 0) && row.score <= (most ?? 100);
}

/** Those on which the check that is asked for has the outcome that is asked for. */
async function withCheck(tenant: Tenant, collectId: string, rows: readonly PageKeys[], input: AuditPagesInput) {
  const { check, outcome } = input;
  if (check === undefined) return rows;
  const outcomes = await listPageOutcomes(tenant, collectId);
  return rows.filter(({ pageId }) => {
    const found = outcomeOf(check, outcomes.get(pageId));
    return outcome === undefined ? found === "fail" || found === "warn" : found === outcome;
  });
}

/** What is listed nowhere has passed, but of a page that no check was made of. */
function outcomeOf(check: string, outcomes: PageOutcomes | undefined): CheckOutcome | undefined {
  if (!outcomes) return undefined;
  const listed = (["fail", "warn", "skipped"] as const).find((one) => outcomes[one].includes(check));
  return listed ?? (outcomes.passed > 0 ? "pass" : undefined);
}

async function inOrder(
  tenant: Tenant,
  collectId: string,
  rows: readonly PageKeys[],
  sort: AuditPagesInput["sort"],
): Promise<PageKeys[]> {
  if (sort === "url") return rows.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  if (sort === "changes") {
    const changes = await countPageChanges(tenant, collectId);
    const changesOf = ({ pageId }: PageKeys) => changes.get(pageId) ?? 0;
    return rows.toSorted((a, b) => changesOf(b) - changesOf(a));
  }
  // What has no score comes last in either direction.
  const sign = sort === "score" ? 1 : -1;
  const scoreOf = ({ score }: PageKeys) => (score === null ? Infinity : sign * score);
  return rows.toSorted((a, b) => scoreOf(a) - scoreOf(b) || 0);
}
