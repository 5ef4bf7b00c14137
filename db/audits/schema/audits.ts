import { CHECK_OUTCOMES } from "../../../core/audits/check.ts";
import type {
  AuditSummary,
  PageChange,
  PageOutcomes,
  StoredAddress,
  StoredFinding,
} from "../../../core/audits/audit-rows.ts";
import type { SiteSubject } from "../../../core/audits/check.ts";
import type { AreaScores } from "../../../core/audits/score-audit.ts";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import {
  bool,
  float,
  id,
  idOf,
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
    analysisId: idOf("analysis_id", () => analyses.id),
    /** The rules that it was checked with. */
    checksVersion: int("checks_version").notNull(),
    /** True where the site is the bundled one. */
    isSimulated: bool("is_simulated").notNull(),
    /** What was read of the site before its pages. */
    site: json<SiteSubject>("site").notNull(),
    findings: json<StoredFinding[]>("findings").notNull(),
    /** Null until the run has ended. */
    summary: json<AuditSummary>("summary"),
    startedAt: instant("started_at").notNull(),
  },
  (t) => [index("audits_analysis").on(t.analysisId, t.collectId)],
);

/** What one run found of one page: what lists and comparisons read. Its address is the text of its question. */
export const auditPages = table(
  "audit_pages",
  {
    collectId: idOf("collect_id", () => collects.id),
    /** The page over all runs. */
    pageId: idOf("page_id", () => questions.id),
    /** The worst outcome of its checks; `skipped` where it could not be fetched. */
    outcome: oneOf("outcome", CHECK_OUTCOMES).notNull(),
    /** Why it could not be fetched; null of others. */
    skippedReason: string("skipped_reason"),
    title: string("title"),
    pageType: oneOf("page_type", PAGE_TYPES),
    typeConfidence: float("type_confidence"),
    /** Mean of its areas' scores. */
    score: int("score"),
    scores: json<AreaScores>("scores"),
    outcomes: json<PageOutcomes>("outcomes").notNull(),
    /** How it differs from the run before. */
    changes: json<PageChange[]>("changes").notNull(),
    checksVersion: int("checks_version").notNull(),
    fetchedAt: instant("fetched_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.pageId] })],
);

/** The rest of it, which is read page by page. */
export const auditFindings = table(
  "audit_findings",
  {
    collectId: idOf("collect_id", () => collects.id),
    pageId: idOf("page_id", () => questions.id),
    findings: json<StoredFinding[]>("findings").notNull(),
    /** The answer without its HTML; null where the page could not be fetched. */
    address: json<StoredAddress>("address"),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.pageId] })],
);
