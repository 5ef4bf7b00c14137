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
  const ofSite = view.checks.site.flatMap((check) => siteFinding(view, check) ?? []);
  return [...ofSite, ...view.checks.page.flatMap((check) => pageFinding(view, check) ?? [])];
}

function pageFinding(view: AuditView, check: CheckDeclaration): ActionFinding | undefined {
  if (check.weight === 0) return undefined;
  const outcomes = view.pages.map((page) => ({ page, outcome: outcomeOn(page, check.id) }));
  const checked = outcomes.filter(({ outcome }) => outcome !== "skipped").map(({ page }) => page);
  const failing = outcomes.filter(({ outcome }) => outcome === "fail").map(({ page }) => page);
  const passing = view.rivals.filter((page) => page.citedIn > 0 && outcomeOn(page, check.id) === "pass");
  if (
    !isMany(failing.length, checked.length) &&
    !failing.some(({ citedIn, readFor }) => citedIn + readFor > 0) &&
    (failing.length === 0 || passing.length === 0)
  )
    return undefined;
  const warned = outcomes.filter(({ outcome }) => outcome === "warn").length;
  const sides = { checked: checked.length, failing, passing };
  return {
    ...commonFields(check, "check"),
    evidence: toEvidenceRows(view, check, { ...sides, warned }),
    reach: weighPages(failing) / weighPages(checked),
    answers: checked.length,
    rival: findTopRival(passing)?.brand ?? null,
    failed: {
      check,
      isSiteCheck: false,
      checked: checked.length,
      failing: failing.length,
      warned,
      cited: countUses(failing, "citedIn"),
      retrieved: countUses(failing, "readFor"),
      passingRivalPages: passing.length,
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
  return { pages: used.length, answers: used.reduce((sum, page) => sum + page[how], 0) };
}

function siteFinding(view: AuditView, check: CheckDeclaration): ActionFinding | undefined {
  const found = view.siteFindings.find((finding) => finding.check === check.id);
  if (check.weight === 0 || found?.outcome !== "fail") return undefined;
  const pages = view.pages.filter(({ outcomes }) => outcomes.passed > 0);
  const audit = toAuditEvidence(check.id, "fail", view.pages);
  const row = { ...ruleColumns(view), answers: 1, occurrences: 0, domain: view.domain, audit };
  return {
    ...commonFields(check, "site"),
    evidence: [addFindingDetails(evidenceRow(row), found)],
    reach: 1,
    answers: pages.length,
    rival: null,
    failed: {
      check,
      isSiteCheck: true,
      checked: pages.length,
      failing: pages.length,
      warned: 0,
      cited: countUses(view.pages, "citedIn"),
      retrieved: countUses(view.pages, "readFor"),
      passingRivalPages: 0,
    },
  };
}

function commonFields({ id, title, weight }: CheckDeclaration, level: "check" | "site") {
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
  checked: number;
  warned: number;
  failing: readonly PageView[];
  passing: readonly RivalPage[];
}

/** Returns the summary row, failing pages by use, then cited passing pages of competitors. */
function toEvidenceRows(view: AuditView, check: CheckDeclaration, { checked, warned, failing, passing }: CheckedPages) {
  const rival = findTopRival(passing);
  const all = evidenceRow({
    ...ruleColumns(view),
    answers: checked,
    occurrences: checked - failing.length - warned,
    domain: view.domain,
    brand_id: rival?.brandId ?? null,
    brand: rival?.brand ?? null,
    brand_occurrences: rival?.pages ?? null,
    audit: toAuditEvidence(check.id, "fail", failing),
  });
  const single = { ...ruleColumns(view), counted: false, answers: 1 };
  const pages = selectMostUsed(failing, MAX_PAGES).map((page) => {
    const audit = { ...toAuditEvidence(check.id, "fail", [page]), page_id: page.id };
    return evidenceRow({ ...single, occurrences: 0, domain: view.domain, url: page.url, audit });
  });
  const others = selectMostUsed(passing, MAX_RIVAL_PAGES).map((page) => {
    const audit = { ...toAuditEvidence(check.id, "pass", [page]), page_id: page.id };
    const { brandId: brand_id, brand, url } = page;
    return evidenceRow({ ...single, occurrences: 1, url, brand_id, brand, brand_occurrences: 1, audit });
  });
  return [all, ...pages, ...others];
}

function ruleColumns({ collectId }: AuditView) {
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

/** Competitor that owns the most of these pages. */
function findTopRival(pages: readonly RivalPage[]) {
  const rivals = new Map<string, { brandId: string; brand: string; pages: number }>();
  for (const { brandId, brand } of pages) {
    rivals.set(brandId, { brandId, brand, pages: (rivals.get(brandId)?.pages ?? 0) + 1 });
  }
  const [most] = [...rivals.values()].toSorted((a, b) => b.pages - a.pages || (a.brandId < b.brandId ? -1 : 1));
  return most;
}

/** Adds the finding's message and excerpt to a row. */
export function addFindingDetails(row: Evidence, found: StoredFinding | undefined): Evidence {
  if (!row.audit || !found) return row;
  const [first] = found.evidence;
  const { message } = found;
  return { ...row, audit: { ...row.audit, message, excerpt: first?.excerpt ?? null, line: first?.line ?? null } };
}
