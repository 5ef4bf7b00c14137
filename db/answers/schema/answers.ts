import { CLAIM_VERDICTS } from "../../../core/claims/statement-verdict.ts";
import type { StoredPerception } from "../../../core/metrics/facts/stored-perception.ts";
import {
  AWARENESS_VERDICTS,
  type JudgedOpinions,
  UNREAD_REASONS,
  type CapturedProduct,
  type CapturedResult,
  type Span,
} from "../../../core/reading/capture.ts";
import {
  ALL_SOURCES,
  COLLECTED,
  COLLECTION_METHODS,
  COMPETITOR_TYPES,
  KEYWORD_CLASSES,
  SOURCES,
} from "../../../core/sources/sources.ts";
import { analyses, collects, jobs, questions } from "../../analyses/schema/analyses.ts";
import * as c from "../../engine/columns.ts";
import { workspaces } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** The raw body is stored so that an answer can be re-extracted. */
export const answers = c.table(
  "answers",
  {
    /** Never exposed; see `allocateAnswerKeys`. */
    key: c.int("key").primaryKey(),
    id: c.id("id").notNull(),
    ...workspaceColumns(),
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    collectId: c.foreignId("collect_id", () => collects.id),
    /** Null for an imported answer. */
    jobId: c.id("job_id").references(() => jobs.id),
    questionId: c.foreignId("question_id", () => questions.id),
    source: c.oneOf("source", SOURCES).notNull(),
    run: c.int("run").notNull(),
    prompt: c.string("prompt").notNull(),
    text: c.string("text").notNull(),
    results: c.json<CapturedResult[]>("results").notNull(),
    products: c.json<CapturedProduct[]>("products"),
    /** By a language model, if one is configured. */
    judged: c.json<JudgedOpinions>("judged"),
    rawBody: c.string("raw_body").notNull(),
    provider: c.string("provider").notNull(),
    model: c.string("model"),
    locale: c.string("locale").notNull(),
    collectionMethod: c.oneOf("collection_method", COLLECTION_METHODS).notNull(),
    costCredits: c.int("cost_credits").notNull(),
    costUsd: c.float("cost_usd"),
    collectedAt: c.instant("collected_at").notNull(),
    /** False, for example, for a search page without an AI overview. */
    isShown: c.bool("is_shown").notNull(),
    isRefusal: c.bool("is_refusal").notNull().default(false),
    /** The answer names or links to a brand of the catalog. */
    isInformative: c.bool("is_informative").notNull(),
    readingVersion: c.int("reading_version").notNull(),
    /** Null if the rules of `readingVersion` parsed the answer. */
    unreadReason: c.oneOf("unread_reason", UNREAD_REASONS),
  },
  (t) => [
    c.uniqueIndex("answers_id").on(t.id),
    c.uniqueIndex("answers_question").on(t.collectId, t.questionId, t.source, t.run, t.collectionMethod),
    // Covers the filters of lists, so that only listed answers are loaded.
    c.index("answers_analysis").on(t.analysisId, t.id, t.collectId, t.questionId, t.source, t.isInformative),
    c.index("answers_collect").on(t.collectId, t.id),
    c.index("answers_of_question").on(t.questionId, t.id),
  ],
);

const answerKey = () =>
  c
    .int("answer_key")
    .notNull()
    .references(() => answers.key);

/** Ranges of workspaces do not overlap. */
export const answerKeys = c.table("answer_keys", {
  workspaceId: c
    .id("workspace_id")
    .primaryKey()
    .references(() => workspaces.id),
  base: c.int("base").notNull().unique(),
  next: c.int("next").notNull(),
});

// Extracted rows are many, so they use numbers as keys. Their brands are never deleted.

export const mentions = c.table(
  "mentions",
  {
    answerKey: answerKey(),
    start: c.int("start").notNull(),
    brandNumber: c.int("brand_number").notNull(),
    end: c.int("end").notNull(),
    alias: c.string("alias").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.answerKey, t.start, t.brandNumber] })],
);

export const places = c.table(
  "places",
  {
    answerKey: answerKey(),
    brandNumber: c.int("brand_number").notNull(),
    /** Among the listed items. */
    rank: c.int("rank").notNull(),
    /** Among distinct brands. */
    brandRank: c.int("brand_rank").notNull(),
    mentions: c.int("mentions").notNull(),
    url: c.string("url"),
  },
  (t) => [
    c.primaryKey({ columns: [t.answerKey, t.brandNumber] }),
    c.index("places_brand").on(t.brandNumber, t.answerKey),
  ],
);

/** Cited pages, and pages retrieved without being cited. */
export const citations = c.table(
  "citations",
  {
    answerKey: answerKey(),
    position: c.int("position").notNull(),
    isCited: c.bool("is_cited").notNull().default(true),
    url: c.string("url").notNull(),
    title: c.string("title"),
    domain: c.string("domain").notNull(),
    competitorType: c.oneOf("competitor_type", COMPETITOR_TYPES).notNull(),
    brandNumber: c.int("brand_number"),
    /** Text spans or citation marks; null if the provider does not report them. */
    spans: c.json<Span[]>("spans"),
  },
  (t) => [c.primaryKey({ columns: [t.answerKey, t.position] })],
);

export const queries = c.table(
  "queries",
  {
    answerKey: answerKey(),
    position: c.int("position").notNull(),
    text: c.string("text").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.answerKey, t.position] })],
);

/** Verdicts on whether an aided prompt's answer knows the brand. */
export const awareness = c.table("awareness", {
  answerKey: c
    .int("answer_key")
    .primaryKey()
    .references(() => answers.key),
  verdict: c.oneOf("verdict", AWARENESS_VERDICTS).notNull(),
  /** `start` and `end` are 0 if no sentence mentions the name. */
  start: c.int("start").notNull(),
  end: c.int("end").notNull(),
});

/** Result pages have none. */
export const perceptions = c.table("perceptions", {
  answerKey: c
    .int("answer_key")
    .primaryKey()
    .references(() => answers.key),
  spans: c.json<StoredPerception>("spans").notNull(),
});

/** No row if the answer does not mention the fact. */
export const claims = c.table(
  "claims",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    answerKey: answerKey(),
    /** Not a foreign key: a deleted fact keeps its claims until the answers are next checked. */
    factId: c.id("fact_id").notNull(),
    revision: c.int("revision").notNull(),
    verdict: c.oneOf("verdict", CLAIM_VERDICTS).notNull(),
    start: c.int("start").notNull(),
    end: c.int("end").notNull(),
    url: c.string("url"),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.answerKey, t.factId] })],
);

/** Packed sums (core/metrics/packed-sums.ts), one row per source and method and one over all. */
export const collectSums = c.table(
  "collect_sums",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    source: c.oneOf("source", [...SOURCES, ALL_SOURCES]).notNull(),
    method: c.oneOf("method", [...COLLECTION_METHODS, COLLECTED]).notNull(),
    keywordClass: c.oneOf("keyword_class", KEYWORD_CLASSES).notNull(),
    answers: c.int("answers").notNull(),
    sums: c.bytes("sums").notNull(),
    /** The sums published when the collect completed, if a later re-extraction changed them. */
    published: c.bytes("published"),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.source, t.method, t.keywordClass] })],
);

/** Links and searches (core/metrics/facts/collect-links.ts), split to keep transactions short. */
export const collectLinks = c.table(
  "collect_links",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    source: c.oneOf("source", SOURCES).notNull(),
    method: c.oneOf("method", COLLECTION_METHODS).notNull(),
    /** `links`, or the `addresses` of the linked pages. */
    holds: c.oneOf("holds", ["links", "addresses"]).notNull(),
    part: c.int("part").notNull(),
    bytes: c.bytes("bytes").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.source, t.method, t.holds, t.part] })],
);

/** Different methods are never summed. */
function packedFacts<Name extends string>(name: Name) {
  return c.table(
    name,
    {
      collectId: c.foreignId("collect_id", () => collects.id),
      source: c.oneOf("source", SOURCES).notNull(),
      method: c.oneOf("method", COLLECTION_METHODS).notNull(),
      /** Content digest, the cache key of the unpacked facts (core/metrics/packed-columns.ts). */
      digest: c.string("digest").notNull(),
      facts: c.bytes("facts").notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.collectId, t.source, t.method] })],
  );
}

export const collectFacts = packedFacts("collect_facts");

/** The verdict takes the column of the brand (core/metrics/facts/awareness-gatherer.ts). */
export const collectAwareness = packedFacts("collect_awareness");

export const collectPerception = packedFacts("collect_perception");

/** The brand column holds mentions and verdicts, the rank column the cited page. */
export const collectClaims = c.table(
  "collect_claims",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    source: c.oneOf("source", SOURCES).notNull(),
    method: c.oneOf("method", COLLECTION_METHODS).notNull(),
    brandNumber: c.int("brand_number").notNull(),
    /** JSON of the checked facts with their revisions. */
    held: c.string("held").notNull(),
    /** JSON of the URLs of the cited pages. */
    pages: c.string("pages").notNull(),
    /** Lowest key of answers naming the brand; facts store offsets from it. */
    firstKey: c.int("first_key").notNull(),
    digest: c.string("digest").notNull(),
    facts: c.bytes("facts").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.source, t.method, t.brandNumber] })],
);

/** Per-keyword results for the analysis's own brand (core/metrics/keyword-channels.ts). */
export const keywordChannels = c.table(
  "keyword_channels",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    source: c.oneOf("source", SOURCES).notNull(),
    method: c.oneOf("method", COLLECTION_METHODS).notNull(),
    channels: c.bytes("channels").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.source, t.method] })],
);
