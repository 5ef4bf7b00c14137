import {
  ANALYSIS_STATUSES,
  ANALYSIS_TYPES,
  COLLECT_STATUSES,
  FACET_KINDS,
  QUESTION_STATUSES,
} from "../../../core/analyses/analysis.ts";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import { PROMPT_KINDS, type BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import { QUESTION_OUTCOMES } from "../../../core/sources/question-outcomes.ts";
import type { Schedule } from "../../../core/analyses/schedule.ts";
import type { WayAnswerCount } from "../../../core/metrics/facts/collect-gatherer.ts";
import type { RelatedQuery } from "../../../core/shared/fields.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import { JOB_TARGETS, FUNNEL_STAGES, KEYWORD_TYPES, type CollectionMethod } from "../../../core/sources/sources.ts";
import { brands, personas } from "../../catalog/schema/catalog.ts";
import {
  bool,
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
  uniqueIndex,
} from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const analyses = table(
  "analyses",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    type: oneOf("type", ANALYSIS_TYPES).notNull(),
    name: string("name").notNull(),
    status: oneOf("status", ANALYSIS_STATUSES).notNull(),
    statusReason: string("status_reason"),
    /** The measured brand; null for an audit of a site of no brand. */
    brandId: id("brand_id").references(() => brands.id),
    /** The confirmed setup, without questions and competitors, which have their own tables. */
    setup: json<Record<string, unknown>>("setup").notNull(),
    /** The version in `analysis_setups` that the next collect runs. */
    setupVersion: int("setup_version").notNull().default(1),
    schedule: json<Schedule>("schedule").notNull(),
    endsAt: instant("ends_at"),
    /** Collects that were priced, confirmed and paid for. */
    plannedCollects: int("planned_collects").notNull(),
    unitCredits: int("unit_credits").notNull(),
    /** Planned collects that have not started. */
    roundsLeft: int("rounds_left").notNull().default(0),
    /** Credits reserved per remaining round. */
    roundCredits: int("round_credits").notNull().default(0),
    /** Lifetime cap on provider cost, in millionths of a US dollar; null for no cap. */
    spendCapMicros: int("spend_cap_micros"),
    nextCollectAt: instant("next_collect_at"),
    /** When `nextCollectAt` was last computed; null for rows older than this column. */
    reckonedAt: instant("reckoned_at"),
    createdBy: foreignId("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("analyses_workspace").on(t.workspaceId, t.id),
    index("analyses_due").on(t.nextCollectAt),
    index("analyses_organization").on(t.organizationId, t.id),
  ],
);

/** Versions of the setup of an analysis; each collect references one. */
export const analysisSetups = table(
  "analysis_setups",
  {
    analysisId: foreignId("analysis_id", () => analyses.id),
    /** 1 for the setup the analysis was created with. */
    version: int("version").notNull(),
    setup: json<Record<string, unknown>>("setup").notNull(),
    /** Question positions in setup order; null for the first `questionCount` questions. */
    positions: json<number[]>("positions"),
    questionCount: int("question_count").notNull(),
    /** Prompts of a brand analysis as entered; null for other types. */
    prompts: json<BrandPrompt[]>("prompts"),
    unitCredits: int("unit_credits").notNull(),
    createdBy: foreignId("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.analysisId, t.version] })],
);

export const analysisCompetitors = table(
  "analysis_competitors",
  {
    analysisId: foreignId("analysis_id", () => analyses.id),
    brandId: foreignId("brand_id", () => brands.id),
  },
  (t) => [primaryKey({ columns: [t.analysisId, t.brandId] }), index("analysis_competitors_brand").on(t.brandId)],
);

/** A topic's parent is its thematic; other kinds have no parent. */
export const facets = table(
  "facets",
  {
    id: id("id").primaryKey(),
    analysisId: foreignId("analysis_id", () => analyses.id),
    kind: oneOf("kind", FACET_KINDS).notNull(),
    parentId: id("parent_id"),
    name: string("name").notNull(),
    position: int("position").notNull(),
  },
  (t) => [index("facets_analysis").on(t.analysisId, t.kind, t.position)],
);

/** Keywords, prompts (one row per country and persona) or audited pages. */
export const questions = table(
  "questions",
  {
    id: id("id").primaryKey(),
    analysisId: foreignId("analysis_id", () => analyses.id),
    /** 0-based position in the setup; also the index of the question in packed facts. */
    position: int("position").notNull(),
    text: string("text").notNull(),
    type: oneOf("type", KEYWORD_TYPES).notNull(),
    funnelStage: oneOf("funnel_stage", FUNNEL_STAGES),
    thematicId: id("thematic_id").references(() => facets.id),
    topicId: id("topic_id").references(() => facets.id),
    personaId: id("persona_id").references(() => personas.id),
    strengthId: id("strength_id").references(() => facets.id),
    weaknessId: id("weakness_id").references(() => facets.id),
    relatedProductId: id("related_product_id").references(() => facets.id),
    subBrandId: id("sub_brand_id").references(() => facets.id),
    intent: json<string[]>("intent").notNull(),
    searchVolume: int("search_volume"),
    trends: json<number[]>("trends"),
    searchInterestTrends: json<number[]>("search_interest_trends"),
    relatedQueries: json<RelatedQuery[]>("related_queries"),
    /** Kind of a prompt; null for a keyword. */
    promptKind: oneOf("prompt_kind", PROMPT_KINDS),
    /** Country of the question; null to use the country of the setup. */
    country: string("country"),
    askedBrandId: id("asked_brand_id"),
    /** The competitor the brand is compared with. */
    otherBrandId: id("other_brand_id"),
    lookAlike: string("look_alike"),
    attribute: string("attribute"),
    asksProsCons: bool("asks_pros_cons").notNull().default(false),
    tag: string("tag"),
    template: string("template"),
    /** Page type set by a user; only for pages of an audit. */
    pageType: oneOf("page_type", PAGE_TYPES),
  },
  (t) => [uniqueIndex("questions_analysis").on(t.analysisId, t.position)],
);

export const collects = table(
  "collects",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    analysisId: foreignId("analysis_id", () => analyses.id),
    /** Number of the collect within the analysis, from 1, by creation. */
    number: int("number").notNull(),
    status: oneOf("status", COLLECT_STATUSES).notNull(),
    setupVersion: int("setup_version").notNull().default(1),
    planned: int("planned").notNull(),
    succeeded: int("succeeded").notNull(),
    failed: int("failed").notNull(),
    /** Credits per unit, fixed at pricing. */
    unitCredits: int("unit_credits").notNull(),
    reservedCredits: int("reserved_credits").notNull(),
    /** Credits that the collect's answers cost; settled when the collect completes. */
    costCredits: int("cost_credits").notNull(),
    /** Collection methods of the answers; empty until the collect completes. */
    collectionMethods: json<CollectionMethod[]>("collection_methods").notNull().default([]),
    /** Collection methods by source and model; empty until the collect completes. */
    ways: json<WayAnswerCount[]>("ways").notNull().default([]),
    /** Incremented on re-extraction; sums computed under an earlier number are stale. */
    readingChanges: int("reading_changes").notNull().default(0),
    /** Rules and catalog version of the sums (db/catalog/catalogs.ts); null if mixed. */
    summedVersion: string("summed_version"),
    /** The value of `summedVersion` when the collect completed. */
    publishedVersion: string("published_version"),
    isImported: bool("is_imported").notNull().default(false),
    /** The imported collect that this monthly part was split from. */
    partOf: id("part_of"),
    /**
     * True if no user is waiting: the collect's questions run after those of collects started on
     * request.
     */
    isScheduled: bool("is_scheduled").notNull().default(false),
    /** True while the analysis is paused: the collect's questions are not sent. */
    isHeld: bool("is_held").notNull().default(false),
    /** True if the collect was cancelled and its unsent questions were dropped. */
    isCanceled: bool("is_canceled").notNull().default(false),
    collectedFrom: instant("collected_from"),
    collectedTo: instant("collected_to"),
    answerBytes: int("answer_bytes").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
  },
  (t) => [
    uniqueIndex("collects_number").on(t.analysisId, t.number),
    index("collects_open").on(t.finishedAt, t.isHeld, t.isScheduled, t.organizationId, t.id),
    index("collects_organization").on(t.organizationId, t.succeeded, t.answerBytes),
    index("collects_newest").on(t.organizationId, t.id),
    index("collects_parts").on(t.partOf, t.collectedFrom),
  ],
);

/** One prompt run: question, source and run number. Stored before the prompt is sent. */
export const jobs = table(
  "jobs",
  {
    id: id("id").primaryKey(),
    collectId: foreignId("collect_id", () => collects.id),
    questionId: foreignId("question_id", () => questions.id),
    source: oneOf("source", JOB_TARGETS).notNull(),
    run: int("run").notNull(),
    status: oneOf("status", QUESTION_STATUSES).notNull(),
    attempts: int("attempts").notNull(),
    /** Earliest claim time: the end of a back-off or of a lease. */
    notBefore: instant("not_before").notNull(),
    leaseOwner: string("lease_owner"),
    /** Worker hangs and crashes while the job was running, since its last progress. */
    workerFailures: int("worker_failures").notNull().default(0),
    failureReason: string("failure_reason"),
    /** Outcome other than a readable answer; values in core/sources/question-outcomes.ts. */
    outcome: oneOf("outcome", QUESTION_OUTCOMES),
    finishedAt: instant("finished_at"),
    /** The provider's task, for providers with asynchronous tasks. */
    submission: json<Submission>("submission"),
  },
  (t) => [
    uniqueIndex("jobs_question").on(t.collectId, t.questionId, t.source, t.run),
    index("jobs_ready").on(t.status, t.notBefore, t.id, t.source),
    index("jobs_collect").on(t.collectId, t.status, t.source, t.notBefore, t.id),
    index("jobs_outcome").on(t.collectId, t.outcome, t.source),
  ],
);
