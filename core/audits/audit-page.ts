import type { PageChange, PageOutcomes, StoredFinding } from "./audit-rows.ts";
import {
  AUDIT_AREAS,
  type AddressSubject,
  type CheckOutcome,
  type PageCheck,
  type SiteCheck,
  type SiteSubject,
} from "./check.ts";
import type { FetchedPage } from "./fetched-page.ts";
import type { PageType } from "./page-type.ts";
import type { ParsedPage } from "./parsed-page.ts";
import { checkPage, type CheckResult } from "./run-checks.ts";
import { scorePage, type AreaScores, type ScoredResult } from "./score-audit.ts";

export interface AuditRules {
  version: number;
  pageChecks: readonly PageCheck[];
  siteChecks: readonly SiteCheck[];
}

export interface PageAuditInput {
  fetched: FetchedPage;
  /** Reason for not checking the HTML; address checks still run. */
  unread?: string | undefined;
  /** An earlier run for the same HTML; its page checks are reused. */
  cached?: EarlierCheckResult | undefined;
  site: SiteSubject;
  /** Findings about the site count in each page's scores. */
  siteFindings: readonly StoredFinding[];
  brandNames: readonly string[];
  /** Set by a user. */
  pageType: PageType | null;
  fetchedAtMs: number;
}

export interface EarlierCheckResult {
  findings: readonly StoredFinding[];
  title: string | null;
  pageType: PageType | null;
  typeConfidence: number | null;
}

export interface AuditedPage {
  title: string | null;
  pageType: PageType | null;
  /** 0 to 1; 1 if a user set the type. */
  typeConfidence: number | null;
  /** Worst outcome of the checks with a weight. */
  outcome: CheckOutcome;
  score: number | null;
  scores: AreaScores;
  outcomes: PageOutcomes;
  findings: readonly StoredFinding[];
}

/** Injected so that audits can cache or limit parsing. */
export interface PageReader {
  parse(html: string): ParsedPage;
  detectType(page: ParsedPage, url: string): { type: PageType; confidence: number };
}

export function auditPage(rules: AuditRules, order: PageAuditInput, reader: PageReader): AuditedPage {
  const { fetched, unread, cached, siteFindings } = order;
  const address: AddressSubject = { fetched, site: order.site };
  if (cached) return buildResult(rules, reuseFindings(rules, cached, address), siteFindings, cached);
  if (unread !== undefined) {
    const nothing = { title: null, pageType: order.pageType, typeConfidence: order.pageType === null ? null : 1 };
    return buildResult(rules, checkPage(rules.pageChecks, { ...address, unread }), siteFindings, nothing);
  }
  const page = reader.parse(fetched.html);
  const guessed = reader.detectType(page, fetched.finalUrl);
  const [pageType, typeConfidence] = order.pageType === null ? [guessed.type, guessed.confidence] : [order.pageType, 1];
  const { brandNames, fetchedAtMs } = order;
  const results = checkPage(rules.pageChecks, { ...address, page, pageType, brandNames, fetchedAtMs });
  return buildResult(rules, results, siteFindings, { title: formatTitle(page), pageType, typeConfidence });
}

const MAX_TITLE_LENGTH = 300;

function formatTitle({ titles: [first] }: ParsedPage): string | null {
  const title = first?.text.replaceAll(/\s+/g, " ").trim() ?? "";
  return title === "" ? null : title.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}

function reuseFindings({ pageChecks }: AuditRules, { findings }: EarlierCheckResult, address: AddressSubject) {
  const before = new Map(findings.map(({ check, ...finding }) => [check, finding]));
  return pageChecks.flatMap((check): CheckResult<PageCheck>[] => {
    if (check.of === "address") return [{ check, ...check.run(address) }];
    const finding = before.get(check.id);
    return finding ? [{ check, ...finding }] : [];
  });
}

function buildResult(
  rules: AuditRules,
  results: readonly CheckResult<PageCheck>[],
  siteFindings: readonly StoredFinding[],
  read: Omit<EarlierCheckResult, "findings">,
): AuditedPage {
  const scores = scorePage([...results, ...toSiteResults(rules, siteFindings)]);
  const { title, pageType, typeConfidence } = read;
  const listIds = (outcome: CheckOutcome) =>
    results.filter((one) => one.outcome === outcome).map(({ check }) => check.id);
  const [fail, warn, skipped] = [listIds("fail"), listIds("warn"), listIds("skipped")];
  const weighed = new Set(results.filter(({ check }) => check.weight > 0).map(({ outcome }) => outcome));
  return {
    title,
    pageType,
    typeConfidence,
    outcome: (["fail", "warn", "pass"] as const).find((outcome) => weighed.has(outcome)) ?? "skipped",
    score: meanScore(scores),
    scores,
    outcomes: { fail, warn, skipped, passed: results.length - fail.length - warn.length - skipped.length },
    findings: results.map(({ check, ...finding }) => ({ check: check.id, ...finding })),
  };
}

function toSiteResults({ siteChecks }: AuditRules, findings: readonly StoredFinding[]): ScoredResult[] {
  const checks = new Map(siteChecks.map((check) => [check.id, check]));
  return findings.flatMap(({ check: id, outcome }) => {
    const check = checks.get(id);
    return check ? [{ check, outcome }] : [];
  });
}

function meanScore(scores: AreaScores): number | null {
  const known = AUDIT_AREAS.flatMap((area) => scores[area].score ?? []);
  return known.length === 0 ? null : Math.round(known.reduce((sum, score) => sum + score, 0) / known.length);
}

/** Empty without a previous result. */
export function compareFindings(
  findings: readonly StoredFinding[],
  before: readonly StoredFinding[] | undefined,
): PageChange[] {
  const outcomes = new Map(before?.map(({ check, outcome }) => [check, outcome]));
  return findings.flatMap(({ check, outcome: is }) => {
    const was = outcomes.get(check);
    return was === undefined || was === is ? [] : [{ check, was, is }];
  });
}
