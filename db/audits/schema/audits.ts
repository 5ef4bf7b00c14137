import { CHECK_OUTCOMES, type SiteSubject } from "../../../core/audits/check.ts";
import type {
  AuditSummary,
  PageChange,
  PageOutcomes,
  StoredAddress,
  StoredFinding,
} from "../../../core/audits/audit-rows.ts";
import type { AreaScores } from "../../../core/audits/score-audit.ts";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import {
  bool,
  float,
  id,
  foreignId,
  index,
  instant,
  int,
  json,
  oneOf,
  primaryKey,
  string,
  table,
} from "../../engine/columns.ts";
import { analyses, collects, questions } from "../../analyses/schema/analyses.ts";

export const audits = table(
  "audits",
  {
    collectId: id("collect_id")
      .primaryKey()
      .references(() => collects.id),
    analysisId: foreignId("analysis_id", () => analyses.id),
    checksVersion: int("checks_version").notNull(),
    /** True if the bundled demo site was audited. */
    isSimulated: bool("is_simulated").notNull(),
    /** Site-level data read before the pages. */
    site: json<SiteSubject>("site").notNull(),
    findings: json<StoredFinding[]>("findings").notNull(),
    /** Totals over all pages; null until the run completes. */
    summary: json<AuditSummary>("summary"),
    startedAt: instant("started_at").notNull(),
  },
  (t) => [index("audits_analysis").on(t.analysisId, t.collectId)],
);

/** Results that lists and comparisons read. The URL is the text of the question. */
export const auditPages = table(
  "audit_pages",
  {
    collectId: foreignId("collect_id", () => collects.id),
    /** Identifies the page across runs. */
    pageId: foreignId("page_id", () => questions.id),
    /** Worst outcome of its checks; `skipped` if the page could not be fetched. */
    outcome: oneOf("outcome", CHECK_OUTCOMES).notNull(),
    skippedReason: string("skipped_reason"),
    title: string("title"),
    pageType: oneOf("page_type", PAGE_TYPES),
    typeConfidence: float("type_confidence"),
    /** Mean of the area scores. */
    score: int("score"),
    scores: json<AreaScores>("scores"),
    outcomes: json<PageOutcomes>("outcomes").notNull(),
    changes: json<PageChange[]>("changes").notNull(),
    checksVersion: int("checks_version").notNull(),
    fetchedAt: instant("fetched_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.pageId] })],
);

/** Details of a page, read one page at a time; separate from the rows that lists scan. */
export const auditFindings = table(
  "audit_findings",
  {
    collectId: foreignId("collect_id", () => collects.id),
    pageId: foreignId("page_id", () => questions.id),
    findings: json<StoredFinding[]>("findings").notNull(),
    /** The HTTP response without its HTML; null if the page could not be fetched. */
    address: json<StoredAddress>("address"),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.pageId] })],
);
