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
import * as c from "../../engine/columns.ts";
import { analyses, collects, questions } from "../../analyses/schema/analyses.ts";

export const audits = c.table(
  "audits",
  {
    collectId: c
      .id("collect_id")
      .primaryKey()
      .references(() => collects.id),
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    checksVersion: c.int("checks_version").notNull(),
    /** True if the bundled demo site was audited. */
    isSimulated: c.bool("is_simulated").notNull(),
    site: c.json<SiteSubject>("site").notNull(),
    findings: c.json<StoredFinding[]>("findings").notNull(),
    /** Null until the run completes. */
    summary: c.json<AuditSummary>("summary"),
    startedAt: c.instant("started_at").notNull(),
  },
  (t) => [c.index("audits_analysis").on(t.analysisId, t.collectId)],
);

/** The URL is the text of the question. */
export const auditPages = c.table(
  "audit_pages",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    /** Identifies the page across runs. */
    pageId: c.foreignId("page_id", () => questions.id),
    /** Worst of its checks; `skipped` if the page could not be fetched. */
    outcome: c.oneOf("outcome", CHECK_OUTCOMES).notNull(),
    skippedReason: c.string("skipped_reason"),
    title: c.string("title"),
    pageType: c.oneOf("page_type", PAGE_TYPES),
    typeConfidence: c.float("type_confidence"),
    /** Mean of the area scores. */
    score: c.int("score"),
    scores: c.json<AreaScores>("scores"),
    outcomes: c.json<PageOutcomes>("outcomes").notNull(),
    changes: c.json<PageChange[]>("changes").notNull(),
    checksVersion: c.int("checks_version").notNull(),
    fetchedAt: c.instant("fetched_at").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.pageId] })],
);

/** Separate from the rows that lists scan. */
export const auditFindings = c.table(
  "audit_findings",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    pageId: c.foreignId("page_id", () => questions.id),
    findings: c.json<StoredFinding[]>("findings").notNull(),
    /** Without the HTML; null if the page could not be fetched. */
    address: c.json<StoredAddress>("address"),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.pageId] })],
);
