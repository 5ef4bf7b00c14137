import type { FetchedPage } from "./fetched-page.ts";
import type { PageType } from "./page-type.ts";
import type { ParsedPage } from "./parsed-page.ts";

/** What a check belongs to; each area has a score. */
export const AUDIT_AREAS = ["crawlability", "semantic", "content"] as const;
export type AuditArea = (typeof AUDIT_AREAS)[number];

export const CHECK_OUTCOMES = ["pass", "warn", "fail", "skipped"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** How well it is known that a rule matters to answer engines. */
export const EVIDENCE_STRENGTHS = ["documented_by_an_engine", "measured_in_a_study", "practice"] as const;
export type EvidenceStrength = (typeof EVIDENCE_STRENGTHS)[number];

/** Where a finding was made. Text of the page: it comes from outside. */
export interface CheckEvidence {
  /** At most MOST_EXCERPT characters. */
  excerpt: string;
  /** 1-based line of the HTML as it came; null where the finding is of the response, or of what is missing. */
  line: number | null;
}
const MOST_EXCERPT = 200;
/** Evidence that a finding keeps at most. */
export const MOST_EVIDENCE = 5;

export interface CheckFinding {
  outcome: CheckOutcome;
  /** What was found, in one sentence without text of the page: "2 of 9 images have no alternative text." For `skipped` the reason. */
  message: string;
  evidence: readonly CheckEvidence[];
}

/** What every check says of itself. */
export interface CheckDeclaration {
  /** snake_case, stable: stored, filtered by, and shown. */
  id: string;
  area: AuditArea;
  /** What it asks for, as a short statement: "The page has one h1". */
  title: string;
  /** Weight in its area's score: 0 (reported only) to 5. */
  weight: number;
  /** The highest score that its area can have where it fails; absent for one that is no hard failure. */
  failureCap?: number;
  /** What to do, in one to three sentences. */
  howToFix: string;
  /** Where the rule comes from. */
  source: { name: string; url: string };
  strength: EvidenceStrength;
}

/** A check of one page. Pure, and linear in the size of the page. */
export type PageCheck = CheckDeclaration &
  (
    | {
        /** It needs no HTML: the response, robots.txt and the sitemap say it. */
        of: "address";
        run(subject: AddressSubject): CheckFinding;
      }
    | { of?: "page"; run(subject: PageSubject): CheckFinding }
  );

/** A check of a site, once per run. */
export interface SiteCheck extends CheckDeclaration {
  run(site: SiteSubject): CheckFinding;
}

/** A check as its file has it: the list adds the area. */
export type Declared<Check> = Check extends CheckDeclaration ? Omit<Check, "area"> : never;

export function pageChecks(area: AuditArea, checks: readonly Declared<PageCheck>[]): readonly PageCheck[] {
  return checks.map((check) => ({ ...check, area }));
}

export function siteChecks(area: AuditArea, checks: readonly Declared<SiteCheck>[]): readonly SiteCheck[] {
  return checks.map((check) => ({ ...check, area }));
}

export interface AddressSubject {
  fetched: FetchedPage;
  site: SiteSubject;
}

export interface PageSubject extends AddressSubject {
  page: ParsedPage;
  pageType: PageType;
  /** Names of the own brand and its products, as the catalog has them; empty without one. */
  names: readonly string[];
  /** When the page was fetched, milliseconds since 1970. */
  at: number;
}

/** What is known of a site as a whole, read once per run. */
export interface SiteSubject {
  /** `https://www.example.com` */
  origin: string;
  /** robots.txt of the origin; null with the reason where it could not be read. A 404 is an empty file (RFC 9309 section 2.3.1.3). */
  robots: { text: string; status: number } | { unread: string };
  /** Of the sitemaps that were read the pages of the run and some thousand others, or why none was read. */
  sitemap: { urls: readonly string[]; files: readonly string[]; faults: readonly string[] } | { unread: string };
  /** llms.txt; null where there is none. */
  llmsTxt: string | null;
  /** How crawlers' user agents were answered at the start page; undefined where the domain is not proven to be the organization's. */
  crawlerAnswers?: readonly { userAgent: string; status: number; isSame: boolean }[] | undefined;
}

export const passed = (message: string): CheckFinding => ({ outcome: "pass", message, evidence: [] });
export const skipped = (message: string): CheckFinding => ({ outcome: "skipped", message, evidence: [] });
export const warned = (message: string, evidence: readonly CheckEvidence[] = []): CheckFinding => ({
  outcome: "warn",
  message,
  evidence: evidence.slice(0, MOST_EVIDENCE),
});
export const failed = (message: string, evidence: readonly CheckEvidence[] = []): CheckFinding => ({
  outcome: "fail",
  message,
  evidence: evidence.slice(0, MOST_EVIDENCE),
});

/** Evidence in the HTML of a page: its text in one line, cut where it is long. */
export function evidenceAt(
  page: Pick<ParsedPage, "lineOf">,
  { text, at }: { text: string; at: number },
): CheckEvidence {
  const line = text
    .slice(0, 2 * MOST_EXCERPT)
    .replaceAll(/\s+/g, " ")
    .trim();
  const excerpt = line.length > MOST_EXCERPT ? `${line.slice(0, MOST_EXCERPT - 1).toWellFormed()}…` : line;
  return { excerpt, line: page.lineOf(at) };
}
