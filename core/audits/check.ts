import type { FetchedPage } from "./fetched-page.ts";
import type { PageType } from "./page-type.ts";
import type { ParsedPage } from "./parsed-page.ts";

/** Each area has a score. */
export const AUDIT_AREAS = ["crawlability", "semantic", "content"] as const;
export type AuditArea = (typeof AUDIT_AREAS)[number];

export const CHECK_OUTCOMES = ["pass", "warn", "fail", "skipped"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** Evidence that a rule matters to answer engines. */
export const EVIDENCE_STRENGTHS = ["documented_by_an_engine", "measured_in_a_study", "practice"] as const;
export type EvidenceStrength = (typeof EVIDENCE_STRENGTHS)[number];

/** The excerpt is untrusted text of the page. */
export interface CheckEvidence {
  /** At most MAX_EXCERPT_LENGTH characters. */
  excerpt: string;
  /** 1-based; null for findings about the response or missing parts. */
  line: number | null;
}
const MAX_EXCERPT_LENGTH = 200;
/** Per finding. */
export const MAX_EVIDENCE = 5;

export interface CheckFinding {
  outcome: CheckOutcome;
  /** One sentence without text of the page; for `skipped`, the reason. */
  message: string;
  evidence: readonly CheckEvidence[];
}

export interface CheckDeclaration {
  /** snake_case and stable: stored, and used in filters. */
  id: string;
  area: AuditArea;
  /** States the rule, such as "The page has one h1". */
  title: string;
  /** 0 (reported only) to 5. */
  weight: number;
  /** Max score of the area if this check fails. */
  failureCap?: number;
  howToFix: string;
  source: { name: string; url: string };
  strength: EvidenceStrength;
}

/** Pure, linear in the size of the page. */
export type PageCheck = CheckDeclaration &
  (
    | {
        /** Needs the response, robots.txt and the sitemap, but not the HTML. */
        of: "address";
        run(subject: AddressSubject): CheckFinding;
      }
    | { of?: "page"; run(subject: PageSubject): CheckFinding }
  );

/** Runs once per site. */
export interface SiteCheck extends CheckDeclaration {
  run(site: SiteSubject): CheckFinding;
}

/** The list of an area adds the area. */
export type CheckWithoutArea<Check> = Check extends CheckDeclaration ? Omit<Check, "area"> : never;

export function definePageChecks(
  area: AuditArea,
  checks: readonly CheckWithoutArea<PageCheck>[],
): readonly PageCheck[] {
  return checks.map((check) => ({ ...check, area }));
}

export function defineSiteChecks(
  area: AuditArea,
  checks: readonly CheckWithoutArea<SiteCheck>[],
): readonly SiteCheck[] {
  return checks.map((check) => ({ ...check, area }));
}

export interface AddressSubject {
  fetched: FetchedPage;
  site: SiteSubject;
}

export interface PageSubject extends AddressSubject {
  page: ParsedPage;
  pageType: PageType;
  /** Catalog names of the own brand and its products. */
  brandNames: readonly string[];
  fetchedAtMs: number;
}

export interface SiteSubject {
  /** For example `https://www.example.com`. */
  origin: string;
  /** `unread` is the reason. A 404 counts as an empty file (RFC 9309 section 2.3.1.3). */
  robots: { text: string; status: number } | { unread: string };
  /** The run's pages and some thousand other addresses, or the reason why none was read. */
  sitemap: { urls: readonly string[]; files: readonly string[]; faults: readonly string[] } | { unread: string };
  llmsTxt: string | null;
  /** Start page by user agent; undefined unless the organization has proven domain control. */
  crawlerAnswers?: readonly { userAgent: string; status: number; isSame: boolean }[] | undefined;
}

export const passed = (message: string): CheckFinding => ({ outcome: "pass", message, evidence: [] });
export const skipped = (message: string): CheckFinding => ({ outcome: "skipped", message, evidence: [] });
export const warned = (message: string, evidence: readonly CheckEvidence[] = []): CheckFinding => ({
  outcome: "warn",
  message,
  evidence: evidence.slice(0, MAX_EVIDENCE),
});
export const failed = (message: string, evidence: readonly CheckEvidence[] = []): CheckFinding => ({
  outcome: "fail",
  message,
  evidence: evidence.slice(0, MAX_EVIDENCE),
});

export function createEvidence(
  page: Pick<ParsedPage, "lineOf">,
  { text, offset }: { text: string; offset: number },
): CheckEvidence {
  const line = text
    .slice(0, 2 * MAX_EXCERPT_LENGTH)
    .replaceAll(/\s+/g, " ")
    .trim();
  const excerpt = line.length > MAX_EXCERPT_LENGTH ? `${line.slice(0, MAX_EXCERPT_LENGTH - 1).toWellFormed()}…` : line;
  return { excerpt, line: page.lineOf(offset) };
}
