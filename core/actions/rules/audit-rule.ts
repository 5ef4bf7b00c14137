import type { StoredFinding } from "../../audits/audit-rows.ts";
import type { CheckDeclaration } from "../../audits/check.ts";
import type { AuditEvidence, Evidence } from "../action.ts";
import { outcomeOn, type AuditView, type PageView, type RivalPage } from "../audit-view.ts";
import { evidenceRow, type ActionFinding } from "../finding.ts";

/** Min number and min share of failing pages that make many; all pages if fewer are checked. */
const MANY_PAGES = 3;
const MANY_SHARE = 0.1;

/** Max pages in the evidence; with the summary row at most twenty rows. */
const MAX_PAGES = 14;
const MAX_RIVAL_PAGES = 5;

const MAX_WEIGHT = 5;

/** Weight of a page used without citation, relative to a cited page. */
const READ_WEIGHT = 0.5;

/**
 * One finding per weighted check that fails on many pages, on a page that answers cite or use, or
 * while cited pages of competitors pass. A failing site check always counts.
 */
export function findFailedChecks(view: AuditView): ActionFinding[] {
  const ofSite = view.checks.site.flatMap((check) => findFailedSiteCheck(view, check) ?? []);
  return [...ofSite, ...view.checks.page.flatMap((check) => findFailedPageCheck(view, check) ?? [])];
}

function findFailedPageCheck(view: AuditView, check: CheckDeclaration): ActionFinding | undefined {
  if (check.weight === 0) return undefined;
  const outcomes = view.pages.map((page) => ({ page, outcome: outcomeOn(page, check.id) }));
  const checked = outcomes.filter(({ outcome }) => outcome !== "skipped").map(({ page }) => page);
  const failing = outcomes.filter(({ outcome }) => outcome === "fail").map(({ page }) => page);
  const passingRivalPages = view.rivalPages.filter((page) => page.citedIn > 0 && outcomeOn(page, check.id) === "pass");
  if (
    !isMany(failing.length, checked.length) &&
    !failing.some(({ citedIn, readFor }) => citedIn + readFor > 0) &&
    (failing.length === 0 || passingRivalPages.length === 0)
  )
    return undefined;
  const warnedCount = outcomes.filter(({ outcome }) => outcome === "warn").length;
  const sides = { checkedCount: checked.length, failing, passingRivalPages };
  return {
    ...buildCommonFields(check, "check"),
    evidence: toEvidenceRows(view, check, { ...sides, warnedCount }),
    reach: weighPages(failing) / weighPages(checked),
    answers: checked.length,
    rival: findTopRival(passingRivalPages)?.brand ?? null,
    failed: {
      check,
      isSiteCheck: false,
      checkedCount: checked.length,
      failing: failing.length,
      warnedCount,
      cited: countUses(failing, "citedIn"),
      retrieved: countUses(failing, "readFor"),
      passingRivalPageCount: passingRivalPages.length,
    },
  };
}

function isMany(failing: number, checked: number): boolean {
  return failing > 0 && failing >= Math.min(MANY_PAGES, checked) && failing >= MANY_SHARE * checked;
}

function weighPages(pages: readonly PageView[]): number {
  return pages.reduce((sum, { citedIn, readFor }) => sum + 1 + citedIn + READ_WEIGHT * readFor, 0);
}

function countUses(pages: readonly PageView[], how: "citedIn" | "readFor") {
  // A page that is also cited counts only as cited.
  const used = pages.filter((page) => page[how] > 0 && (how === "citedIn" || page.citedIn === 0));
  return { pageCount: used.length, answers: used.reduce((sum, page) => sum + page[how], 0) };
}

function findFailedSiteCheck(view: AuditView, check: CheckDeclaration): ActionFinding | undefined {
  const found = view.siteFindings.find((finding) => finding.check === check.id);
  if (check.weight === 0 || found?.outcome !== "fail") return undefined;
  const pages = view.pages.filter(({ outcomes }) => outcomes.passed > 0);
  const audit = toAuditEvidence(check.id, "fail", view.pages);
  const row = { ...buildRuleColumns(view), answers: 1, occurrences: 0, domain: view.domain, audit };
  return {
    ...buildCommonFields(check, "site"),
    evidence: [addFindingDetails(evidenceRow(row), found)],
    reach: 1,
    answers: pages.length,
    rival: null,
    failed: {
      check,
      isSiteCheck: true,
      checkedCount: pages.length,
      failing: pages.length,
      warnedCount: 0,
      cited: countUses(view.pages, "citedIn"),
      retrieved: countUses(view.pages, "readFor"),
      passingRivalPageCount: 0,
    },
  };
}

function buildCommonFields({ id, title, weight }: CheckDeclaration, level: "check" | "site") {
  return {
    rule: "failed_check" as const,
    subject: `${level}:${id}`,
    channel: "all" as const,
    subjectName: title,
    keywords: [],
    gap: weight / MAX_WEIGHT,
    pValue: null,
    siteType: null,
  };
}

interface CheckedPages {
  checkedCount: number;
  warnedCount: number;
  failing: readonly PageView[];
  passingRivalPages: readonly RivalPage[];
}

/** Returns the summary row, failing pages by use, then cited passing pages of competitors. */
function toEvidenceRows(
  view: AuditView,
  check: CheckDeclaration,
  { checkedCount, warnedCount, failing, passingRivalPages }: CheckedPages,
) {
  const rival = findTopRival(passingRivalPages);
  const all = evidenceRow({
    ...buildRuleColumns(view),
    answers: checkedCount,
    occurrences: checkedCount - failing.length - warnedCount,
    domain: view.domain,
    brand_id: rival?.brandId ?? null,
    brand: rival?.brand ?? null,
    brand_occurrences: rival?.pageCount ?? null,
    audit: toAuditEvidence(check.id, "fail", failing),
  });
  const single = { ...buildRuleColumns(view), counted: false, answers: 1 };
  const pages = selectMostUsed(failing, MAX_PAGES).map((page) => {
    const audit = { ...toAuditEvidence(check.id, "fail", [page]), page_id: page.id };
    return evidenceRow({ ...single, occurrences: 0, domain: view.domain, url: page.url, audit });
  });
  const others = selectMostUsed(passingRivalPages, MAX_RIVAL_PAGES).map((page) => {
    const audit = { ...toAuditEvidence(check.id, "pass", [page]), page_id: page.id };
    const { brandId: brand_id, brand, url } = page;
    return evidenceRow({ ...single, occurrences: 1, url, brand_id, brand, brand_occurrences: 1, audit });
  });
  return [all, ...pages, ...others];
}

function buildRuleColumns({ collectId }: AuditView) {
  return { rule: "failed_check" as const, collect_id: collectId };
}

function toAuditEvidence(check: string, outcome: AuditEvidence["outcome"], pages: readonly PageView[]): AuditEvidence {
  const sum = (how: "citedIn" | "readFor") => pages.reduce((all, page) => all + page[how], 0);
  const nothing = { page_id: null, message: null, excerpt: null, line: null };
  return { check, outcome, ...nothing, cited_in: sum("citedIn"), read_for: sum("readFor") };
}

function selectMostUsed<Page extends PageView>(pages: readonly Page[], most: number): Page[] {
  return pages.toSorted((a, b) => b.citedIn - a.citedIn || b.readFor - a.readFor).slice(0, most);
}

function findTopRival(pages: readonly RivalPage[]) {
  const rivals = new Map<string, { brandId: string; brand: string; pageCount: number }>();
  for (const { brandId, brand } of pages) {
    rivals.set(brandId, { brandId, brand, pageCount: (rivals.get(brandId)?.pageCount ?? 0) + 1 });
  }
  const [most] = [...rivals.values()].toSorted((a, b) => b.pageCount - a.pageCount || (a.brandId < b.brandId ? -1 : 1));
  return most;
}

export function addFindingDetails(row: Evidence, found: StoredFinding | undefined): Evidence {
  if (!row.audit || !found) return row;
  const [first] = found.evidence;
  const { message } = found;
  return { ...row, audit: { ...row.audit, message, excerpt: first?.excerpt ?? null, line: first?.line ?? null } };
}
