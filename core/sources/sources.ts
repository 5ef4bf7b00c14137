import { foldName } from "../shared/names.ts";

/** Sources (interface.md 2.7), in the order of the specification. */
export const SOURCES = [
  "SEARCH_A",
  "SEARCH_A_AIO",
  "ASSISTANT_A",
  "ASSISTANT_B",
  "SEARCH_B",
  "SEARCH_B_AIO",
  "SEARCH_B_AI_MODE",
  "ASSISTANT_C",
  "ASSISTANT_D",
  "MARKETPLACE_ASSISTANT",
] as const;
export type Source = (typeof SOURCES)[number];

/** Where jobs of an audit get their answers: its questions are pages of a website. */
export const WEBSITE = "WEBSITE";

/** What people call each source, unless the operator calls it otherwise. */
export const USUAL_NAMES: Readonly<Record<Source, string>> = {
  SEARCH_A: "Bing",
  SEARCH_A_AIO: "Bing AI answers",
  ASSISTANT_A: "ChatGPT",
  ASSISTANT_B: "Perplexity",
  SEARCH_B: "Google",
  SEARCH_B_AIO: "Google AI Overviews",
  SEARCH_B_AI_MODE: "Google AI Mode",
  ASSISTANT_C: "Claude",
  ASSISTANT_D: "Gemini",
  MARKETPLACE_ASSISTANT: "Amazon's assistant",
};

const names: Record<Source, string> = { ...USUAL_NAMES };
/** What each source is called wherever it is shown. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = names;

/** Has the sources called as the operator says, the others as usual: once for a process, at its start, before anything is shown. */
export function nameSources(own: Readonly<Partial<Record<Source, string>>>): void {
  Object.assign(names, USUAL_NAMES, own);
}

/** The source that people call so, in any case: by the operator's name, else by its usual one. */
export function sourceCalled(text: string): Source | undefined {
  const said = foldName(text);
  const called = (by: Readonly<Record<Source, string>>) => SOURCES.find((source) => foldName(by[source]) === said);
  return called(names) ?? called(USUAL_NAMES);
}

/** True where each source has a name of its own with these, and none has the label of another one. */
export function areApart(own: Readonly<Partial<Record<Source, string>>>): boolean {
  const called = SOURCES.map((source) => foldName({ ...USUAL_NAMES, ...own }[source]));
  const labels = SOURCES.map((source) => foldName(source));
  return called.every((name, at) => called.indexOf(name) === at && [-1, at].includes(labels.indexOf(name)));
}

/** What each source is, in the order of the labels. */
export const SOURCES_IN_WORDS = `In this order: ${SOURCES.map((source) => USUAL_NAMES[source]).join(", ")}.`;

/** In stored sums, the sum over the sources of a collect that are summed where none is named: `summedTogether`. */
export const ALL_SOURCES = "ALL";
export type SummedSource = Source | typeof ALL_SOURCES;
/** In the same, how they were collected where they are not simulated: each source in one way. */
export const COLLECTED = "collected";
export type SummedMethod = CollectionMethod | typeof COLLECTED;

/** What kind of site a brand's domain or a cited page is (interface.md 2.7). */
export const COMPETITOR_TYPES = [
  "BRANDED_WEBSITE",
  "COMMUNITY_HELP_CENTER",
  "COMPARISON_SITE",
  "GOVERNMENT_ACADEMIC",
  "INFLUENCER_CREATOR_BLOG",
  "NEWS_MEDIA",
  "PRODUCT_REVIEW_SITE",
  "QA_FORUM",
  "RETAIL_ECOMMERCE",
  "SPECIALIST_BLOG",
  "WIKI_ENCYCLOPEDIA",
  "UNKNOWN",
] as const;
export type CompetitorType = (typeof COMPETITOR_TYPES)[number];

export const KEYWORD_TYPES = ["Generic", "Brand"] as const;
export type KeywordType = (typeof KEYWORD_TYPES)[number];

/**
 * What stored sums tell keywords apart by. A Generic keyword that names the analysis's own brand stays out of headline figures, as one of
 * type Brand does, and counts where Generic is asked for.
 */
export const KEYWORD_CLASSES = ["Generic", "GenericNamingOwn", "Brand"] as const;
export type KeywordClass = (typeof KEYWORD_CLASSES)[number];

export const FUNNEL_STAGES = ["ToFu", "MoFu", "BoFu"] as const;
export type FunnelStage = (typeof FUNNEL_STAGES)[number];

/**
 * How an answer came to be here: from a model's own interface, from what a consumer product shows as a vendor captures it, from a vendor's
 * result pages, collected elsewhere, or invented.
 */
export const COLLECTION_METHODS = ["api", "capture", "serp_provider", "import", "simulated"] as const;
export type CollectionMethod = (typeof COLLECTION_METHODS)[number];

/** True for the sources whose capture is a ranked list of pages rather than a text. */
export function listsResults(source: Source): boolean {
  return source === "SEARCH_A" || source === "SEARCH_B";
}

/** What a brand is present by in the answers of a source: its name in a text, its domain on a page of results. */
export type Presence = "name" | "domain";

export function presenceIn(source: Source): Presence {
  return listsResults(source) ? "domain" : "name";
}

/**
 * The sources among `asked` that are summed where none is named: those of one kind of presence, by name where there are any. Both are summed
 * only where they are asked for together.
 */
export function summedTogether(asked: readonly Source[], presence?: Presence): Source[] {
  const wanted = presence ?? (asked.some((source) => presenceIn(source) === "name") ? "name" : "domain");
  return asked.filter((source) => presenceIn(source) === wanted);
}
