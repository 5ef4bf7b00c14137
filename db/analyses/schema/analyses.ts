import {
  ANALYSIS_STATUSES,
  ANALYSIS_TYPES,
  COLLECT_STATUSES,
  FACET_KINDS,
  QUESTION_STATUSES,
} from "../../../core/analyses/analysis.ts";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import { PROMPT_KINDS, type BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import { QUESTION_ENDS } from "../../../core/sources/question-ends.ts";
import type { Schedule } from "../../../core/analyses/schedule.ts";
import type { CollectedWay } from "../../../core/metrics/facts/gather-collect.ts";
import type { RelatedQuery } from "../../../core/shared/fields.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import { ASKED } from "../../../core/sources/asked-sources.ts";
import { FUNNEL_STAGES, KEYWORD_TYPES, type CollectionMethod } from "../../../core/sources/sources.ts";
import { brands, personas } from "../../catalog/schema/catalog.ts";
import {
  bool,
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
  uniqueIndex,
} from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { ofWorkspace } from "../../identity/schema/tenant.ts";

export const analyses = table(
  "analyses",
  {
    id: id("id").primaryKey(),
    ...ofWorkspace(),
    type: oneOf("type", ANALYSIS_TYPES).notNull(),
    name: string("name").notNull(),
    status: oneOf("status", ANALYSIS_STATUSES).notNull(),
    statusReason: string("status_reason"),
    /** The brand that it measures; null of an audit of a site that no brand of the workspace has. */
    brandId: id("brand_id").references(() => brands.id),
    /** The setup as it was priced and confirmed, without its questions and competitors, which have tables. */
    setup: json<Record<string, unknown>>("setup").notNull(),
    /** Which of `analysis_setups` the next collect asks. */
    setupVersion: int("setup_version").notNull().default(1),
    schedule: json<Schedule>("schedule").notNull(),
    endsAt: instant("ends_at"),
    /** Collects that were priced, confirmed and paid for. */
    plannedCollects: int("planned_collects").notNull(),
    /** Credits of one unit of its price, fixed when it was priced. */
    unitCredits: int("unit_credits").notNull(),
    /** Planned collects that have not started. */
    roundsLeft: int("rounds_left").notNull().default(0),
    /** Credits that are reserved for each of them. */
    roundCredits: int("round_credits").notNull().default(0),
    /** The most that providers may be paid for it over its life, in millionths of a US dollar; null is no bound. */
    spendCapMicros: int("spend_cap_micros"),
    /** When the next collect is due; null when none is planned. */
    nextCollectAt: instant("next_collect_at"),
    /** When that was last reckoned; null where it was before there was this column. */
    reckonedAt: instant("reckoned_at"),
    createdBy: idOf("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("analyses_workspace").on(t.workspaceId, t.id),
    index("analyses_due").on(t.nextCollectAt),
    index("analyses_organization").on(t.organizationId, t.id),
  ],
);

/** What the collects of an analysis ask, by version: each collect names its own. */
export const analysisSetups = table(
  "analysis_setups",
  {
    analysisId: idOf("analysis_id", () => analyses.id),
    /** 1 for the setup that the analysis was created with. */
    version: int("version").notNull(),
    setup: json<Record<string, unknown>>("setup").notNull(),
    /** Positions of the questions that it asks, in its order; null for the first ones. */
    positions: json<number[]>("positions"),
    questionCount: int("question_count").notNull(),
    /** Prompts of a brand analysis as its setup gives them; null of other kinds. */
    prompts: json<BrandPrompt[]>("prompts"),
    unitCredits: int("unit_credits").notNull(),
    createdBy: idOf("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.analysisId, t.version] })],
);

export const analysisCompetitors = table(
  "analysis_competitors",
  {
    analysisId: idOf("analysis_id", () => analyses.id),
    brandId: idOf("brand_id", () => brands.id),
  },
  (t) => [primaryKey({ columns: [t.analysisId, t.brandId] }), index("analysis_competitors_brand").on(t.brandId)],
);

/** Named groups of the questions of one analysis: a topic's parent is its thematic, the other kinds have none. */
export const facets = table(
  "facets",
  {
    id: id("id").primaryKey(),
    analysisId: idOf("analysis_id", () => analyses.id),
    kind: oneOf("kind", FACET_KINDS).notNull(),
    parentId: id("parent_id"),
    name: string("name").notNull(),
    position: int("position").notNull(),
  },
  (t) => [index("facets_analysis").on(t.analysisId, t.kind, t.position)],
);

/**
 * What an analysis asks, with what metrics group it by. The questions of a search analysis are its keywords, those of a brand analysis its
 * prompts, one for each country and persona.
 */
export const questions = table(
  "questions",
  {
    id: id("id").primaryKey(),
    analysisId: idOf("analysis_id", () => analyses.id),
    /** 0-based place in the setup; the index of the question in packed facts. */
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
    /** What a prompt of a brand analysis is for; null of a keyword. */
    promptKind: oneOf("prompt_kind", PROMPT_KINDS),
    /** Where it is asked; null where the setup says so for all. */
    country: string("country"),
    askedBrandId: id("asked_brand_id"),
    /** The rival that the brand is compared with. */
    otherBrandId: id("other_brand_id"),
    lookAlike: string("look_alike"),
    attribute: string("attribute"),
    asksProsCons: bool("asks_pros_cons").notNull().default(false),
    tag: string("tag"),
    template: string("template"),
    /** What kind of page it is, where a person said so; of pages of an audit. */
    pageType: oneOf("page_type", PAGE_TYPES),
  },
  (t) => [uniqueIndex("questions_analysis").on(t.analysisId, t.position)],
);

export const collects = table(
  "collects",
  {
    id: id("id").primaryKey(),
    ...ofWorkspace(),
    analysisId: idOf("analysis_id", () => analyses.id),
    /** 1-based, in the order of their creation. */
    number: int("number").notNull(),
    status: oneOf("status", COLLECT_STATUSES).notNull(),
    setupVersion: int("setup_version").notNull().default(1),
    planned: int("planned").notNull(),
    succeeded: int("succeeded").notNull(),
    failed: int("failed").notNull(),
    /** Credits of one unit of its price, fixed when it was priced. */
    unitCredits: int("unit_credits").notNull(),
    /** Credits reserved for this collect and not yet settled. */
    reservedCredits: int("reserved_credits").notNull(),
    /** Credits that its answers cost; settled when the collect ends. */
    costCredits: int("cost_credits").notNull(),
    /** How its answers came to be here; empty until it ends. */
    collectionMethods: json<CollectionMethod[]>("collection_methods").notNull().default([]),
    /** The same by source and model; empty until it ends. */
    ways: json<CollectedWay[]>("ways").notNull().default([]),
    /** How often some of its answers were read again. What was summed under another number is out of date. */
    readingChanges: int("reading_changes").notNull().default(0),
    /** The rules and the catalog that its sums were read with, as db/catalog/catalogs.ts writes it; null where it is more than one. */
    summedVersion: string("summed_version"),
    /** The same when it ended. */
    publishedVersion: string("published_version"),
    /** True where its answers were collected elsewhere. */
    isImported: bool("is_imported").notNull().default(false),
    /** The collect of the import that it was cut from, by month. */
    partOf: id("part_of"),
    /** True where no person waits for it: its questions are asked after those of collects that were just asked for. */
    isScheduled: bool("is_scheduled").notNull().default(false),
    /** True while its analysis is paused: its questions wait. */
    isHeld: bool("is_held").notNull().default(false),
    /** True where what of it was not asked yet was given up: it ends without asking that. */
    isCanceled: bool("is_canceled").notNull().default(false),
    /** When the first and the last of its answers were collected. */
    collectedFrom: instant("collected_from"),
    collectedTo: instant("collected_to"),
    /** Bytes of its answers as they came. */
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

/** One asking: question x source x run of a collect. Stored before it is asked. */
export const jobs = table(
  "jobs",
  {
    id: id("id").primaryKey(),
    collectId: idOf("collect_id", () => collects.id),
    questionId: idOf("question_id", () => questions.id),
    source: oneOf("source", ASKED).notNull(),
    run: int("run").notNull(),
    status: oneOf("status", QUESTION_STATUSES).notNull(),
    attempts: int("attempts").notNull(),
    /** Not claimed before this instant: a back-off, or the end of a lease. */
    notBefore: instant("not_before").notNull(),
    leaseOwner: string("lease_owner"),
    /** Hangs and crashes of workers at which the job was in progress since it last got on. */
    workerFailures: int("worker_failures").notNull().default(0),
    failureReason: string("failure_reason"),
    /** How it ended, where that is not with an answer to read: a word of core/sources/question-ends.ts. */
    outcome: oneOf("outcome", QUESTION_ENDS),
    finishedAt: instant("finished_at"),
    /** The task that a provider was given, where it takes tasks. */
    submission: json<Submission>("submission"),
  },
  (t) => [
    uniqueIndex("jobs_question").on(t.collectId, t.questionId, t.source, t.run),
    index("jobs_ready").on(t.status, t.notBefore, t.id, t.source),
    index("jobs_collect").on(t.collectId, t.status, t.source, t.notBefore, t.id),
    index("jobs_outcome").on(t.collectId, t.outcome, t.source),
  ],
);
