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
import * as c from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const analyses = c.table(
  "analyses",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    type: c.oneOf("type", ANALYSIS_TYPES).notNull(),
    name: c.string("name").notNull(),
    status: c.oneOf("status", ANALYSIS_STATUSES).notNull(),
    statusReason: c.string("status_reason"),
    /** Null for an audit of a site of no brand. */
    brandId: c.id("brand_id").references(() => brands.id),
    /** Without questions and competitors, which have their own tables. */
    setup: c.json<Record<string, unknown>>("setup").notNull(),
    /** The version in `analysis_setups` that the next collect runs. */
    setupVersion: c.int("setup_version").notNull().default(1),
    schedule: c.json<Schedule>("schedule").notNull(),
    endsAt: c.instant("ends_at"),
    /** Collects that were priced, confirmed and paid for. */
    plannedCollects: c.int("planned_collects").notNull(),
    unitCredits: c.int("unit_credits").notNull(),
    roundsLeft: c.int("rounds_left").notNull().default(0),
    roundCredits: c.int("round_credits").notNull().default(0),
    /** Lifetime cap in millionths of a US dollar; null for no cap. */
    spendCapMicros: c.int("spend_cap_micros"),
    nextCollectAt: c.instant("next_collect_at"),
    /** When `nextCollectAt` was last computed; null for rows older than this column. */
    reckonedAt: c.instant("reckoned_at"),
    createdBy: c.foreignId("created_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.index("analyses_workspace").on(t.workspaceId, t.id),
    c.index("analyses_due").on(t.nextCollectAt),
    c.index("analyses_organization").on(t.organizationId, t.id),
  ],
);

export const analysisSetups = c.table(
  "analysis_setups",
  {
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    version: c.int("version").notNull(),
    setup: c.json<Record<string, unknown>>("setup").notNull(),
    /** In setup order; null for the first `questionCount` questions. */
    positions: c.json<number[]>("positions"),
    questionCount: c.int("question_count").notNull(),
    /** Unexpanded prompts of a brand analysis; null for other types. */
    prompts: c.json<BrandPrompt[]>("prompts"),
    unitCredits: c.int("unit_credits").notNull(),
    createdBy: c.foreignId("created_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.analysisId, t.version] })],
);

export const analysisCompetitors = c.table(
  "analysis_competitors",
  {
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    brandId: c.foreignId("brand_id", () => brands.id),
  },
  (t) => [c.primaryKey({ columns: [t.analysisId, t.brandId] }), c.index("analysis_competitors_brand").on(t.brandId)],
);

/** A topic's parent is its thematic; other kinds have no parent. */
export const facets = c.table(
  "facets",
  {
    id: c.id("id").primaryKey(),
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    kind: c.oneOf("kind", FACET_KINDS).notNull(),
    parentId: c.id("parent_id"),
    name: c.string("name").notNull(),
    position: c.int("position").notNull(),
  },
  (t) => [c.index("facets_analysis").on(t.analysisId, t.kind, t.position)],
);

/** Keywords, prompts (one row per country and persona) or audited pages. */
export const questions = c.table(
  "questions",
  {
    id: c.id("id").primaryKey(),
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    /** 0-based position in the setup; also the index of the question in packed facts. */
    position: c.int("position").notNull(),
    text: c.string("text").notNull(),
    type: c.oneOf("type", KEYWORD_TYPES).notNull(),
    funnelStage: c.oneOf("funnel_stage", FUNNEL_STAGES),
    thematicId: c.id("thematic_id").references(() => facets.id),
    topicId: c.id("topic_id").references(() => facets.id),
    personaId: c.id("persona_id").references(() => personas.id),
    strengthId: c.id("strength_id").references(() => facets.id),
    weaknessId: c.id("weakness_id").references(() => facets.id),
    relatedProductId: c.id("related_product_id").references(() => facets.id),
    subBrandId: c.id("sub_brand_id").references(() => facets.id),
    intent: c.json<string[]>("intent").notNull(),
    searchVolume: c.int("search_volume"),
    trends: c.json<number[]>("trends"),
    searchInterestTrends: c.json<number[]>("search_interest_trends"),
    relatedQueries: c.json<RelatedQuery[]>("related_queries"),
    /** Null for a keyword. */
    promptKind: c.oneOf("prompt_kind", PROMPT_KINDS),
    /** Null for the country of the setup. */
    country: c.string("country"),
    askedBrandId: c.id("asked_brand_id"),
    otherBrandId: c.id("other_brand_id"),
    lookAlike: c.string("look_alike"),
    attribute: c.string("attribute"),
    asksProsCons: c.bool("asks_pros_cons").notNull().default(false),
    tag: c.string("tag"),
    template: c.string("template"),
    /** Set by a user; only for pages of an audit. */
    pageType: c.oneOf("page_type", PAGE_TYPES),
  },
  (t) => [c.uniqueIndex("questions_analysis").on(t.analysisId, t.position)],
);

export const collects = c.table(
  "collects",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    /** From 1, by creation. */
    number: c.int("number").notNull(),
    status: c.oneOf("status", COLLECT_STATUSES).notNull(),
    setupVersion: c.int("setup_version").notNull().default(1),
    planned: c.int("planned").notNull(),
    succeeded: c.int("succeeded").notNull(),
    failed: c.int("failed").notNull(),
    unitCredits: c.int("unit_credits").notNull(),
    reservedCredits: c.int("reserved_credits").notNull(),
    /** Settled when the collect completes. */
    costCredits: c.int("cost_credits").notNull(),
    /** Empty until the collect completes. */
    collectionMethods: c.json<CollectionMethod[]>("collection_methods").notNull().default([]),
    /** By source and model; empty until the collect completes. */
    ways: c.json<WayAnswerCount[]>("ways").notNull().default([]),
    /** Incremented on re-extraction; sums computed under an earlier number are stale. */
    readingChanges: c.int("reading_changes").notNull().default(0),
    /** Rules and catalog version of the sums (db/catalog/catalogs.ts); null if mixed. */
    summedVersion: c.string("summed_version"),
    /** The value of `summedVersion` when the collect completed. */
    publishedVersion: c.string("published_version"),
    isImported: c.bool("is_imported").notNull().default(false),
    /** The imported collect that this monthly part was split from. */
    partOf: c.id("part_of"),
    /** No user is waiting: runs after collects started on request. */
    isScheduled: c.bool("is_scheduled").notNull().default(false),
    /** The analysis is paused: the collect's questions are not sent. */
    isHeld: c.bool("is_held").notNull().default(false),
    /** The unsent questions were dropped. */
    isCanceled: c.bool("is_canceled").notNull().default(false),
    collectedFrom: c.instant("collected_from"),
    collectedTo: c.instant("collected_to"),
    answerBytes: c.int("answer_bytes").notNull().default(0),
    createdAt: c.instant("created_at").notNull(),
    startedAt: c.instant("started_at"),
    finishedAt: c.instant("finished_at"),
  },
  (t) => [
    c.uniqueIndex("collects_number").on(t.analysisId, t.number),
    c.index("collects_open").on(t.finishedAt, t.isHeld, t.isScheduled, t.organizationId, t.id),
    c.index("collects_organization").on(t.organizationId, t.succeeded, t.answerBytes),
    c.index("collects_newest").on(t.organizationId, t.id),
    c.index("collects_parts").on(t.partOf, t.collectedFrom),
  ],
);

/** Stored before the prompt is sent. */
export const jobs = c.table(
  "jobs",
  {
    id: c.id("id").primaryKey(),
    collectId: c.foreignId("collect_id", () => collects.id),
    questionId: c.foreignId("question_id", () => questions.id),
    source: c.oneOf("source", JOB_TARGETS).notNull(),
    run: c.int("run").notNull(),
    status: c.oneOf("status", QUESTION_STATUSES).notNull(),
    attempts: c.int("attempts").notNull(),
    /** Earliest claim time: the end of a back-off or of a lease. */
    notBefore: c.instant("not_before").notNull(),
    leaseOwner: c.string("lease_owner"),
    /** Hangs and crashes while the job was running, since its last progress. */
    workerFailures: c.int("worker_failures").notNull().default(0),
    failureReason: c.string("failure_reason"),
    /** Null for a readable answer. */
    outcome: c.oneOf("outcome", QUESTION_OUTCOMES),
    finishedAt: c.instant("finished_at"),
    /** For providers with asynchronous tasks. */
    submission: c.json<Submission>("submission"),
  },
  (t) => [
    c.uniqueIndex("jobs_question").on(t.collectId, t.questionId, t.source, t.run),
    c.index("jobs_ready").on(t.status, t.notBefore, t.id, t.source),
    c.index("jobs_collect").on(t.collectId, t.status, t.source, t.notBefore, t.id),
    c.index("jobs_outcome").on(t.collectId, t.outcome, t.source),
  ],
);
