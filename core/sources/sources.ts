import { foldName } from "../shared/names.ts";

/** Sources in specification order (interface.md 2.7). */
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

/** Pseudo-source of audit jobs, whose questions are pages. */
export const WEBSITE = "WEBSITE";

export const DEFAULT_SOURCE_NAMES: Readonly<Record<Source, string>> = {
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

const sourceNames: Record<Source, string> = { ...DEFAULT_SOURCE_NAMES };
/** Names of the sources, possibly overridden by the operator. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = sourceNames;

/** Overrides source names; call once at process start. */
export function overrideSourceNames(own: Readonly<Partial<Record<Source, string>>>): void {
  Object.assign(sourceNames, DEFAULT_SOURCE_NAMES, own);
}

/** Folds a source name without spaces, and with one word for AI overviews. */
function foldSourceName(name: string): string {
  return foldName(name)
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replace(/ai(?:overview|answer)s?$/, "aio");
}

/** Source by name, ignoring case and spaces: the operator's names first, then the defaults. */
export function findSourceByName(text: string): Source | undefined {
  const said = foldSourceName(text);
  const called = (by: Readonly<Record<Source, string>>) =>
    SOURCES.find((source) => foldSourceName(by[source]) === said);
  return called(sourceNames) ?? called(DEFAULT_SOURCE_NAMES);
}

/** True if all names are distinct and none equals another source's label. */
export function areSourceNamesDistinct(own: Readonly<Partial<Record<Source, string>>>): boolean {
  const called = SOURCES.map((source) => foldSourceName({ ...DEFAULT_SOURCE_NAMES, ...own }[source]));
  const labels = SOURCES.map(foldSourceName);
  return called.every((name, at) => called.indexOf(name) === at && [-1, at].includes(labels.indexOf(name)));
}

/** Pseudo-source in stored sums: the sum over the sources of `selectSummedSources`. */
export const ALL_SOURCES = "ALL";
export type SourceOrAll = Source | typeof ALL_SOURCES;
/** Pseudo-method in stored sums: answers that are not simulated, one method per source. */
export const COLLECTED = "collected";
export type SummedMethod = CollectionMethod | typeof COLLECTED;

/** Types of sites (interface.md 2.7). */
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
 * Classes of keywords in stored sums. A Generic keyword that names the own brand is excluded from
 * headline metrics like type Brand, but included when Generic is requested.
 */
export const KEYWORD_CLASSES = ["Generic", "GenericNamingOwn", "Brand"] as const;
export type KeywordClass = (typeof KEYWORD_CLASSES)[number];

export const FUNNEL_STAGES = ["ToFu", "MoFu", "BoFu"] as const;
export type FunnelStage = (typeof FUNNEL_STAGES)[number];

/** `capture`: a vendor captures a consumer product; `serp_provider`: a vendor's result pages. */
export const COLLECTION_METHODS = ["api", "capture", "serp_provider", "import", "simulated"] as const;
export type CollectionMethod = (typeof COLLECTION_METHODS)[number];

/** True for sources that return a ranked list of pages. */
export function isResultPageSource(source: Source): boolean {
  return source === "SEARCH_A" || source === "SEARCH_B";
}

/** By the brand's name in text, or by its domain on a result page. */
export type PresenceBasis = "name" | "domain";

export function getPresenceBasis(source: Source): PresenceBasis {
  return isResultPageSource(source) ? "domain" : "name";
}

/** Sources with one basis of presence, by name if any; both are summed only on request. */
export function selectSummedSources(asked: readonly Source[], presence?: PresenceBasis): Source[] {
  const wanted = presence ?? (asked.some((source) => getPresenceBasis(source) === "name") ? "name" : "domain");
  return asked.filter((source) => getPresenceBasis(source) === wanted);
}

/** Collection methods that a setup can name, to compare them on the same prompts. */
export const CHOSEN_METHODS = ["api", "capture"] as const;
export type ChosenMethod = (typeof CHOSEN_METHODS)[number];

/** Assistants: the sources with a choice of method. Result pages have one method. */
const ASSISTANT_SOURCES = [
  "ASSISTANT_A",
  "ASSISTANT_B",
  "ASSISTANT_C",
  "ASSISTANT_D",
  "MARKETPLACE_ASSISTANT",
] as const satisfies readonly Source[];
type AssistantSource = (typeof ASSISTANT_SOURCES)[number];

/** A source as addressed by jobs: with the default provider, or one of a named method. */
export type JobSource = Source | `${AssistantSource}:${ChosenMethod}`;

const SOURCES_WITH_METHOD = ASSISTANT_SOURCES.flatMap((source) =>
  CHOSEN_METHODS.map((method) => `${source}:${method}` as const),
);
export const JOB_SOURCES: readonly JobSource[] = [...SOURCES, ...SOURCES_WITH_METHOD];

export const JOB_TARGETS = [...SOURCES, ...SOURCES_WITH_METHOD, WEBSITE] as const;
export type JobTarget = JobSource | typeof WEBSITE;

/** False for a website, whose pages are fetched. */
export function isSource(asked: JobTarget): asked is JobSource {
  return asked !== WEBSITE;
}

/** Expands the sources of a setup by its methods; only assistants have methods. */
export function expandSources(sources: readonly Source[], methods: readonly ChosenMethod[]): JobSource[] {
  return sources.flatMap((source): readonly JobSource[] =>
    isAssistant(source) && methods.length > 0 ? methods.map((method) => `${source}:${method}` as const) : [source],
  );
}

function isAssistant(source: Source): source is AssistantSource {
  return ASSISTANT_SOURCES.some((assistant) => assistant === source);
}

/** Source of a job without its collection method. */
export function toSource(asked: JobSource): Source {
  const found = SOURCES.find((source) => asked === source || asked.startsWith(`${source}:`));
  if (!found) throw new Error("the job has an unknown source");
  return found;
}

export function findNamedMethod(asked: JobSource): ChosenMethod | undefined {
  return CHOSEN_METHODS.find((method) => asked.endsWith(`:${method}`));
}

export function listSourceVariants(source: Source): JobSource[] {
  return JOB_SOURCES.filter((asked) => toSource(asked) === source);
}
