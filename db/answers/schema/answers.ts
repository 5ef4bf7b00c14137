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
import {
  bool,
  bytes,
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
  uniqueIndex,
} from "../../engine/columns.ts";
import { workspaces } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** The raw body is stored so that an answer can be re-extracted. */
export const answers = table(
  "answers",
  {
    /** Referenced by extracted rows and never exposed; see `allocateAnswerKeys`. */
    key: int("key").primaryKey(),
    id: id("id").notNull(),
    ...workspaceColumns(),
    analysisId: foreignId("analysis_id", () => analyses.id),
    collectId: foreignId("collect_id", () => collects.id),
    /** Job that collected the answer; null for an imported answer. */
    jobId: id("job_id").references(() => jobs.id),
    questionId: foreignId("question_id", () => questions.id),
    source: oneOf("source", SOURCES).notNull(),
    run: int("run").notNull(),
    prompt: string("prompt").notNull(),
    text: string("text").notNull(),
    results: json<CapturedResult[]>("results").notNull(),
    products: json<CapturedProduct[]>("products"),
    /** Opinions extracted by a language model, if one is configured. */
    judged: json<JudgedOpinions>("judged"),
    rawBody: string("raw_body").notNull(),
    provider: string("provider").notNull(),
    model: string("model"),
    locale: string("locale").notNull(),
    collectionMethod: oneOf("collection_method", COLLECTION_METHODS).notNull(),
    costCredits: int("cost_credits").notNull(),
    costUsd: float("cost_usd"),
    collectedAt: instant("collected_at").notNull(),
    /** False if the source showed nothing, such as a search page without an AI overview. */
    isShown: bool("is_shown").notNull(),
    /** True if the source declined to answer. */
    isRefusal: bool("is_refusal").notNull().default(false),
    /** True if the answer names or links to a brand of the catalog. */
    isInformative: bool("is_informative").notNull(),
    readingVersion: int("reading_version").notNull(),
    /** Why the rules of `readingVersion` could not parse the answer; null if they did. */
    unreadReason: oneOf("unread_reason", UNREAD_REASONS),
  },
  (t) => [
    uniqueIndex("answers_id").on(t.id),
    uniqueIndex("answers_question").on(t.collectId, t.questionId, t.source, t.run, t.collectionMethod),
    // Covers the filters of lists, so that only listed answers are loaded.
    index("answers_analysis").on(t.analysisId, t.id, t.collectId, t.questionId, t.source, t.isInformative),
    index("answers_collect").on(t.collectId, t.id),
    index("answers_of_question").on(t.questionId, t.id),
  ],
);

const answerKey = () =>
  int("answer_key")
    .notNull()
    .references(() => answers.key);

/** The next answer key of each workspace. Ranges of workspaces do not overlap. */
export const answerKeys = table("answer_keys", {
  workspaceId: id("workspace_id")
    .primaryKey()
    .references(() => workspaces.id),
  base: int("base").notNull().unique(),
  next: int("next").notNull(),
});

// Extracted rows are many, so they reference answers and brands by number. A brand with extracted
// rows is never deleted.

export const mentions = table(
  "mentions",
  {
    answerKey: answerKey(),
    start: int("start").notNull(),
    brandNumber: int("brand_number").notNull(),
    end: int("end").notNull(),
    alias: string("alias").notNull(),
  },
  (t) => [primaryKey({ columns: [t.answerKey, t.start, t.brandNumber] })],
);

export const places = table(
  "places",
  {
    answerKey: answerKey(),
    brandNumber: int("brand_number").notNull(),
    /** Rank among the listed items. */
    rank: int("rank").notNull(),
    /** Rank among distinct brands. */
    brandRank: int("brand_rank").notNull(),
    mentions: int("mentions").notNull(),
    url: string("url"),
  },
  (t) => [primaryKey({ columns: [t.answerKey, t.brandNumber] }), index("places_brand").on(t.brandNumber, t.answerKey)],
);

/** Pages that an answer cites, or that were retrieved for it without being cited. */
export const citations = table(
  "citations",
  {
    answerKey: answerKey(),
    position: int("position").notNull(),
    isCited: bool("is_cited").notNull().default(true),
    url: string("url").notNull(),
    title: string("title"),
    domain: string("domain").notNull(),
    competitorType: oneOf("competitor_type", COMPETITOR_TYPES).notNull(),
    brandNumber: int("brand_number"),
    /** Supported text spans or citation marks; null if the provider does not report them. */
    spans: json<Span[]>("spans"),
  },
  (t) => [primaryKey({ columns: [t.answerKey, t.position] })],
);

export const queries = table(
  "queries",
  {
    answerKey: answerKey(),
    position: int("position").notNull(),
    text: string("text").notNull(),
  },
  (t) => [primaryKey({ columns: [t.answerKey, t.position] })],
);

/** Verdicts on whether an aided prompt's answer knows the brand, with the supporting sentence. */
export const awareness = table("awareness", {
  answerKey: int("answer_key")
    .primaryKey()
    .references(() => answers.key),
  verdict: oneOf("verdict", AWARENESS_VERDICTS).notNull(),
  /** `start` and `end` are 0 if no sentence mentions the name. */
  start: int("start").notNull(),
  end: int("end").notNull(),
});

/** Opinions on brands with their text spans; none for result pages. */
export const perceptions = table("perceptions", {
  answerKey: int("answer_key")
    .primaryKey()
    .references(() => answers.key),
  spans: json<StoredPerception>("spans").notNull(),
});

/** Statements about a declared fact; no row if the answer does not mention the fact. */
export const claims = table(
  "claims",
  {
    collectId: foreignId("collect_id", () => collects.id),
    answerKey: answerKey(),
    /** Not a foreign key: a deleted fact keeps its claims until the answers are next checked. */
    factId: id("fact_id").notNull(),
    revision: int("revision").notNull(),
    verdict: oneOf("verdict", CLAIM_VERDICTS).notNull(),
    start: int("start").notNull(),
    end: int("end").notNull(),
    url: string("url"),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.answerKey, t.factId] })],
);

/** Packed sums (core/metrics/packed-sums.ts), one row per source and method and one over all. */
export const collectSums = table(
  "collect_sums",
  {
    collectId: foreignId("collect_id", () => collects.id),
    source: oneOf("source", [...SOURCES, ALL_SOURCES]).notNull(),
    method: oneOf("method", [...COLLECTION_METHODS, COLLECTED]).notNull(),
    keywordClass: oneOf("keyword_class", KEYWORD_CLASSES).notNull(),
    /** Number of answers in the sums; readable without unpacking them. */
    answers: int("answers").notNull(),
    sums: bytes("sums").notNull(),
    /** The sums published when the collect completed, if a later re-extraction changed them. */
    published: bytes("published"),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method, t.keywordClass] })],
);

/** Links and searches (core/metrics/facts/collect-links.ts), split to keep transactions short. */
export const collectLinks = table(
  "collect_links",
  {
    collectId: foreignId("collect_id", () => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    method: oneOf("method", COLLECTION_METHODS).notNull(),
    /** `links`, or the `addresses` of the linked pages. */
    holds: oneOf("holds", ["links", "addresses"]).notNull(),
    part: int("part").notNull(),
    bytes: bytes("bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method, t.holds, t.part] })],
);

/** One row per collect, source and method: different methods are never summed. */
function packedFacts<Name extends string>(name: Name) {
  return table(
    name,
    {
      collectId: foreignId("collect_id", () => collects.id),
      source: oneOf("source", SOURCES).notNull(),
      method: oneOf("method", COLLECTION_METHODS).notNull(),
      /** Content digest, the cache key of the unpacked facts (core/metrics/packed-columns.ts). */
      digest: string("digest").notNull(),
      facts: bytes("facts").notNull(),
    },
    (t) => [primaryKey({ columns: [t.collectId, t.source, t.method] })],
  );
}

export const collectFacts = packedFacts("collect_facts");

/** The verdict takes the column of the brand (core/metrics/facts/awareness-gatherer.ts). */
export const collectAwareness = packedFacts("collect_awareness");

export const collectPerception = packedFacts("collect_perception");

/**
 * Claims as packed facts (core/metrics/facts/collect-claims.ts): the brand column holds mentions
 * and verdicts, the rank column the cited page.
 */
export const collectClaims = table(
  "collect_claims",
  {
    collectId: foreignId("collect_id", () => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    method: oneOf("method", COLLECTION_METHODS).notNull(),
    brandNumber: int("brand_number").notNull(),
    /** JSON: the checked facts with their revisions. */
    held: string("held").notNull(),
    /** JSON: the URLs of the cited pages. */
    pages: string("pages").notNull(),
    /** Lowest key of answers naming the brand; facts store offsets from it. */
    firstKey: int("first_key").notNull(),
    digest: string("digest").notNull(),
    facts: bytes("facts").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method, t.brandNumber] })],
);

/** Per-keyword results for the analysis's own brand (core/metrics/keyword-channels.ts). */
export const keywordChannels = table(
  "keyword_channels",
  {
    collectId: foreignId("collect_id", () => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    method: oneOf("method", COLLECTION_METHODS).notNull(),
    channels: bytes("channels").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method] })],
);
