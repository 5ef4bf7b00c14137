import type { CapturedResult } from "../../../core/reading/capture.ts";
import { ALL_SOURCES, COLLECTION_METHODS, COMPETITOR_TYPES, KEYWORD_TYPES, SOURCES } from "../../../core/sources.ts";
import { analyses, collects, jobs, questions } from "./analyses.ts";
import { brands } from "../../catalog/schema/catalog.ts";
import {
  bool,
  bytes,
  float,
  id,
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
import { ofWorkspace } from "../../identity/schema/tenant.ts";

/** What one question brought back. The raw body is kept, so that everything read from it can be read again. */
export const answers = table(
  "answers",
  {
    id: id("id").primaryKey(),
    ...ofWorkspace(),
    analysisId: id("analysis_id")
      .notNull()
      .references(() => analyses.id),
    collectId: id("collect_id")
      .notNull()
      .references(() => collects.id),
    /** The job that asked; null for an imported answer. */
    jobId: id("job_id").references(() => jobs.id),
    questionId: id("question_id")
      .notNull()
      .references(() => questions.id),
    source: oneOf("source", SOURCES).notNull(),
    run: int("run").notNull(),
    prompt: string("prompt").notNull(),
    text: string("text").notNull(),
    results: json<CapturedResult[]>("results").notNull(),
    rawBody: string("raw_body").notNull(),
    provider: string("provider").notNull(),
    model: string("model"),
    locale: string("locale").notNull(),
    collectionMethod: oneOf("collection_method", COLLECTION_METHODS).notNull(),
    costCredits: int("cost_credits").notNull(),
    costUsd: float("cost_usd"),
    collectedAt: instant("collected_at").notNull(),
    eligible: bool("eligible").notNull(),
    readingVersion: int("reading_version").notNull(),
  },
  (t) => [
    uniqueIndex("answers_question").on(t.collectId, t.questionId, t.source, t.run),
    index("answers_analysis").on(t.analysisId, t.id),
    index("answers_collect").on(t.collectId, t.id),
    index("answers_of_question").on(t.questionId, t.id),
  ],
);

export const mentions = table(
  "mentions",
  {
    answerId: id("answer_id")
      .notNull()
      .references(() => answers.id),
    brandId: id("brand_id")
      .notNull()
      .references(() => brands.id, { onDelete: "cascade" }),
    alias: string("alias").notNull(),
    start: int("start").notNull(),
    end: int("end").notNull(),
  },
  (t) => [primaryKey({ columns: [t.answerId, t.start, t.brandId] }), index("mentions_brand").on(t.brandId)],
);

/** A brand's place in one answer. */
export const places = table(
  "places",
  {
    answerId: id("answer_id")
      .notNull()
      .references(() => answers.id),
    brandId: id("brand_id")
      .notNull()
      .references(() => brands.id, { onDelete: "cascade" }),
    rank: int("rank").notNull(),
    mentions: int("mentions").notNull(),
    url: string("url"),
  },
  (t) => [primaryKey({ columns: [t.answerId, t.brandId] }), index("places_brand").on(t.brandId)],
);

export const citations = table(
  "citations",
  {
    answerId: id("answer_id")
      .notNull()
      .references(() => answers.id),
    position: int("position").notNull(),
    url: string("url").notNull(),
    title: string("title"),
    domain: string("domain").notNull(),
    competitorType: oneOf("competitor_type", COMPETITOR_TYPES).notNull(),
    brandId: id("brand_id").references(() => brands.id, { onDelete: "set null" }),
  },
  (t) => [primaryKey({ columns: [t.answerId, t.position] }), index("citations_brand").on(t.brandId)],
);

/** Eligible answers of one collect, written when it completes; a row per source that was asked, and one of ALL. */
export const collectTotals = table(
  "collect_totals",
  {
    collectId: id("collect_id")
      .notNull()
      .references(() => collects.id),
    source: oneOf("source", [...SOURCES, ALL_SOURCES]).notNull(),
    keywordType: oneOf("keyword_type", KEYWORD_TYPES).notNull(),
    total: int("total").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.keywordType] })],
);

/** Sums of one brand over one collect, written when it completes. `keywordCount` of ALL counts a keyword once. */
export const brandRollups = table(
  "brand_rollups",
  {
    collectId: id("collect_id")
      .notNull()
      .references(() => collects.id),
    source: oneOf("source", [...SOURCES, ALL_SOURCES]).notNull(),
    keywordType: oneOf("keyword_type", KEYWORD_TYPES).notNull(),
    brandId: id("brand_id")
      .notNull()
      .references(() => brands.id, { onDelete: "cascade" }),
    occurrences: int("occurrences").notNull(),
    totalMentions: int("total_mentions").notNull(),
    keywordCount: int("keyword_count").notNull(),
    rankSum: float("rank_sum").notNull(),
    weightSum: float("weight_sum").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.collectId, t.source, t.keywordType, t.brandId] }),
    index("brand_rollups_brand").on(t.brandId),
  ],
);

/**
 * What the answers of one collect and source cite, written when it completes: a row per page, one per domain with an
 * empty `url`, and one of everything with an empty `domain` too.
 */
export const citedPages = table(
  "cited_pages",
  {
    collectId: id("collect_id")
      .notNull()
      .references(() => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    domain: string("domain").notNull(),
    url: string("url").notNull(),
    competitorType: oneOf("competitor_type", COMPETITOR_TYPES).notNull(),
    brandId: id("brand_id").references(() => brands.id, { onDelete: "set null" }),
    /** Answers that cite it at least once. */
    answers: int("answers").notNull(),
    citations: int("citations").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.domain, t.url] }), index("cited_pages_brand").on(t.brandId)],
);

/** Packed facts of one collect and source (core/measuring/collect-facts.ts): what any filter is summed from in one pass. */
export const collectFacts = table(
  "collect_facts",
  {
    collectId: id("collect_id")
      .notNull()
      .references(() => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    facts: bytes("facts").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source] })],
);

/** What one collect and source brought per keyword for the analysis's own brand (core/measuring/keyword-channels.ts). */
export const keywordChannels = table(
  "keyword_channels",
  {
    collectId: id("collect_id")
      .notNull()
      .references(() => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    channels: bytes("channels").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source] })],
);
