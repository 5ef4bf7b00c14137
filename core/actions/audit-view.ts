import type { PageOutcomes, StoredFinding } from "../audits/audit-rows.ts";
import type { CheckDeclaration, CheckOutcome } from "../audits/check.ts";

export interface PageView {
  id: string;
  url: string;
  outcomes: PageOutcomes;
  /** Answers that cite it. */
  citedIn: number;
  /** Answers that were made with it and do not cite it. */
  readFor: number;
}

export interface RivalPage extends PageView {
  brandId: string;
  brand: string;
}

export interface AuditView {
  collectId: string;
  /** The registrable domain of its site. */
  domain: string;
  /** Every check of a page, and of the site. */
  checks: { page: readonly CheckDeclaration[]; site: readonly CheckDeclaration[] };
  /** In the order of the setup. */
  pages: readonly PageView[];
  siteFindings: readonly StoredFinding[];
  rivals: readonly RivalPage[];
}

/** What a check found of a page; `skipped` of one that was not made. */
export function outcomeOn({ outcomes }: Pick<PageView, "outcomes">, check: string): CheckOutcome {
  const { fail, warn, skipped, passed } = outcomes;
  if (fail.includes(check)) return "fail";
  if (warn.includes(check)) return "warn";
  // Those that passed are not listed, and of a page that could not be fetched none was made.
  return skipped.includes(check) || passed === 0 ? "skipped" : "pass";
}
