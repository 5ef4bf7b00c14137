import { SAID_VERDICTS } from "../../../core/claims/said.ts";
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
import { workspaces } from "../../identity/schema/identity.ts";
import { ofWorkspace } from "../../identity/schema/tenant.ts";

/** What one question brought back. The raw body is kept, so that everything read from it can be read again. */
export const answers = table(
  "answers",
  {
    /** What rows of its reading point at: taken from its workspace's keys (db/answers/answer-keys.ts), and never shown. */
    key: int("key").primaryKey(),
    id: id("id").notNull(),
    ...ofWorkspace(),
    analysisId: idOf("analysis_id", () => analyses.id),
    collectId: idOf("collect_id", () => collects.id),
    /** The job that asked; null for an imported answer. */
    jobId: id("job_id").references(() => jobs.id),
    questionId: idOf("question_id", () => questions.id),
    source: oneOf("source", SOURCES).notNull(),
    run: int("run").notNull(),
    prompt: string("prompt").notNull(),
    text: string("text").notNull(),
    results: json<CapturedResult[]>("results").notNull(),
    /** Product cards that it shows; null where it shows none. */
    products: json<CapturedProduct[]>("products"),
    /** What a language model found in it, where one is configured. */
    judged: json<JudgedOpinions>("judged"),
    rawBody: string("raw_body").notNull(),
    provider: string("provider").notNull(),
    model: string("model"),
    locale: string("locale").notNull(),
    collectionMethod: oneOf("collection_method", COLLECTION_METHODS).notNull(),
    costCredits: int("cost_credits").notNull(),
    costUsd: float("cost_usd"),
    collectedAt: instant("collected_at").notNull(),
    /** False where the source showed nothing, as a search engine may show no overview: no answer. */
    isShown: bool("is_shown").notNull(),
    /** True where the source refused to answer, and its text says so. */
    isRefusal: bool("is_refusal").notNull().default(false),
    /** Names a brand of the catalog, or links to one. */
    isInformative: bool("is_informative").notNull(),
    readingVersion: int("reading_version").notNull(),
    /** Why rules of that version could not read it; null where they did. */
    unreadReason: oneOf("unread_reason", UNREAD_REASONS),
  },
  (t) => [
    uniqueIndex("answers_id").on(t.id),
    uniqueIndex("answers_question").on(t.collectId, t.questionId, t.source, t.run, t.collectionMethod),
    // What lists are filtered by, so that only what they show is read of the answers.
    index("answers_analysis").on(t.analysisId, t.id, t.collectId, t.questionId, t.source, t.isInformative),
    index("answers_collect").on(t.collectId, t.id),
    index("answers_of_question").on(t.questionId, t.id),
  ],
);

const answerKey = () =>
  int("answer_key")
    .notNull()
    .references(() => answers.key);

/** The next key of the answers of each workspace: those of different ones lie far apart. */
export const answerKeys = table("answer_keys", {
  workspaceId: id("workspace_id")
    .primaryKey()
    .references(() => workspaces.id),
  /** The first of its range. */
  base: int("base").notNull().unique(),
  next: int("next").notNull(),
});

// Rows of readings. There are many of them, so they hold numbers: the key of an answer, and of a brand its number in the
// workspace. A brand is never deleted while something was read of it.

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
    /** Counts items. */
    rank: int("rank").notNull(),
    /** Counts different brands. */
    brandRank: int("brand_rank").notNull(),
    mentions: int("mentions").notNull(),
    url: string("url"),
  },
  (t) => [primaryKey({ columns: [t.answerKey, t.brandNumber] }), index("places_brand").on(t.brandNumber, t.answerKey)],
);

/** A page that an answer cites, or that was read for it and is not cited. */
export const citations = table(
  "citations",
  {
    answerKey: answerKey(),
    position: int("position").notNull(),
    /** False for a page that the assistant read and does not cite. */
    isCited: bool("is_cited").notNull().default(true),
    url: string("url").notNull(),
    title: string("title"),
    domain: string("domain").notNull(),
    competitorType: oneOf("competitor_type", COMPETITOR_TYPES).notNull(),
    brandNumber: int("brand_number"),
    /** What of the text it is given for, or its marks there; null where the provider does not say. */
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

/** Whether an answer to an aided prompt knows the name that it was asked for, with the sentence that says so. */
export const awareness = table("awareness", {
  answerKey: int("answer_key")
    .primaryKey()
    .references(() => answers.key),
  verdict: oneOf("verdict", AWARENESS_VERDICTS).notNull(),
  /** Both 0 where no sentence says anything of the name. */
  start: int("start").notNull(),
  end: int("end").notNull(),
});

/** What an answer of a brand analysis says of brands, with where it says so: none of pages of results. */
export const perceptions = table("perceptions", {
  answerKey: int("answer_key")
    .primaryKey()
    .references(() => answers.key),
  spans: json<StoredPerception>("spans").notNull(),
});

/** What an answer says of a fact that a brand declares, with the sentence that says so. Nothing where it says nothing of it. */
export const claims = table(
  "claims",
  {
    collectId: idOf("collect_id", () => collects.id),
    answerKey: answerKey(),
    /** It may be deleted since: its claims go when the answers are next held against the facts. */
    factId: id("fact_id").notNull(),
    /** That of the fact when this was read. */
    revision: int("revision").notNull(),
    verdict: oneOf("verdict", SAID_VERDICTS).notNull(),
    start: int("start").notNull(),
    end: int("end").notNull(),
    /** The page that the sentence cites. */
    url: string("url"),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.answerKey, t.factId] })],
);

/**
 * Sums of every brand over the answers of one collect to keywords of one type, written when it ends
 * (core/metrics/packed-sums.ts): a row for each source and method, and one for all that are summed where none is named.
 */
export const collectSums = table(
  "collect_sums",
  {
    collectId: idOf("collect_id", () => collects.id),
    source: oneOf("source", [...SOURCES, ALL_SOURCES]).notNull(),
    method: oneOf("method", [...COLLECTION_METHODS, COLLECTED]).notNull(),
    keywordClass: oneOf("keyword_class", KEYWORD_CLASSES).notNull(),
    /** How many answers they are of, for who wants no more. */
    answers: int("answers").notNull(),
    sums: bytes("sums").notNull(),
    /** What was shown when the collect ended, where a later reading changed it. */
    published: bytes("published"),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method, t.keywordClass] })],
);

/**
 * What the answers of one collect and source link to and searched for (core/metrics/facts/collect-links.ts), in parts small enough for a short
 * transaction each.
 */
export const collectLinks = table(
  "collect_links",
  {
    collectId: idOf("collect_id", () => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    method: oneOf("method", COLLECTION_METHODS).notNull(),
    /** The links themselves, or the addresses of their pages. */
    holds: oneOf("holds", ["links", "addresses"]).notNull(),
    part: int("part").notNull(),
    bytes: bytes("bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method, t.holds, t.part] })],
);

/** A table of packed facts, a row for each collect, source and method: what came by two is never added up. */
function packedFacts<Name extends string>(name: Name) {
  return table(
    name,
    {
      collectId: idOf("collect_id", () => collects.id),
      source: oneOf("source", SOURCES).notNull(),
      method: oneOf("method", COLLECTION_METHODS).notNull(),
      /** What tells these facts from all others, so that they are opened once for all requests (core/metrics/packed-columns.ts). */
      digest: string("digest").notNull(),
      facts: bytes("facts").notNull(),
    },
    (t) => [primaryKey({ columns: [t.collectId, t.source, t.method] })],
  );
}

export const collectFacts = packedFacts("collect_facts");

/** What answers to aided prompts know (core/metrics/facts/collect-awareness.ts): where others have a brand they have a verdict. */
export const collectAwareness = packedFacts("collect_awareness");

export const collectPerception = packedFacts("collect_perception");

/**
 * What the answers of one collect and source say of the facts of a brand, packed as those are (core/metrics/facts/collect-claims.ts): where others
 * have a brand and a rank they have that the brand is named, or what is said of which fact, and the page that is cited.
 */
export const collectClaims = table(
  "collect_claims",
  {
    collectId: idOf("collect_id", () => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    method: oneOf("method", COLLECTION_METHODS).notNull(),
    brandNumber: int("brand_number").notNull(),
    /** JSON of the facts that answers were held against, with their revisions. */
    held: string("held").notNull(),
    /** JSON of the addresses of the pages. */
    pages: string("pages").notNull(),
    /** The least key of the answers that name the brand: they stand by how much theirs is more. */
    firstKey: int("first_key").notNull(),
    digest: string("digest").notNull(),
    facts: bytes("facts").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method, t.brandNumber] })],
);

/** What one collect and source brought per keyword for the analysis's own brand (core/metrics/keyword-channels.ts). */
export const keywordChannels = table(
  "keyword_channels",
  {
    collectId: idOf("collect_id", () => collects.id),
    source: oneOf("source", SOURCES).notNull(),
    method: oneOf("method", COLLECTION_METHODS).notNull(),
    channels: bytes("channels").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.source, t.method] })],
);
