import type { PageOutcomes, StoredFinding } from "../audits/audit-rows.ts";
import type { CheckDeclaration, CheckOutcome } from "../audits/check.ts";

export interface PageView {
  id: string;
  url: string;
  outcomes: PageOutcomes;
  citedIn: number;
  /** Answers that used the page without citing it. */
  readFor: number;
}

export interface RivalPage extends PageView {
  brandId: string;
  brand: string;
}

export interface AuditView {
  collectId: string;
  /** Registrable domain of the site. */
  domain: string;
  checks: { page: readonly CheckDeclaration[]; site: readonly CheckDeclaration[] };
  /** Pages in the order of the audit's setup. */
  pages: readonly PageView[];
  siteFindings: readonly StoredFinding[];
  rivalPages: readonly RivalPage[];
}

/** Outcome of a check on a page; `skipped` if the check did not run. */
export function outcomeOn({ outcomes }: Pick<PageView, "outcomes">, check: string): CheckOutcome {
  const { fail, warn, skipped, passed } = outcomes;
  if (fail.includes(check)) return "fail";
  if (warn.includes(check)) return "warn";
  // Passed checks are not listed; without any passed check the page was not fetched.
  return skipped.includes(check) || passed === 0 ? "skipped" : "pass";
}
