import type { CheckOutcome } from "../audits/check.ts";
import type { Source } from "../sources/sources.ts";
import type { Verdict } from "../statistics/verdict.ts";

/** Words of recommended actions (service.md section 6). What it leaves open is decided here. */
export const ACTION_RULES = [
  "competitor_present",
  "cited_source",
  "presence_lost",
  "rank_lost",
  "keyword_without_presence",
  "frequent_con",
  "wrong_fact",
  "competitor_preferred",
  "failed_check",
] as const;
export type ActionRule = (typeof ACTION_RULES)[number];

/** What kind of work an action is. */
export const ACTION_CATEGORIES = ["content", "outreach", "community", "listing", "recovery", "technical"] as const;

export const ACTION_CHANNELS = [
  "search_results",
  "ai_overviews",
  "assistants",
  "marketplace",
  "third_party_sites",
  "all",
] as const;

export const LEVELS = ["low", "medium", "high"] as const;
export const CRITICALITIES = ["low", "medium", "high", "critical"] as const;
export const TIMELINES = ["two_weeks", "month", "quarter"] as const;

/** What a list of actions can be sorted by, with the direction that comes first. */
export const ACTION_SORTS = {
  score: "desc",
  impact: "desc",
  effort: "asc",
  category: "asc",
  channel: "asc",
  evidence_count: "desc",
  action_label: "asc",
} as const;
export type ActionSort = keyof typeof ACTION_SORTS;

export const WORKFLOW_STATUSES = ["new", "confirmed", "dismissed"] as const;
export const DISMISS_REASONS = ["not_relevant", "already_implemented", "not_feasible", "deprioritised"] as const;

export const BRIEF_STATUSES = ["not_started", "in_progress", "implemented"] as const;

/**
 * One measured fact that an action rests on, in the words of the interface: enough to open its answers and to count
 * again. Text in it (keyword, brand, domain, address) is as it was stored.
 */
export interface Evidence {
  /** Null if no rule asked for the row, but a content brief. */
  rule: ActionRule | null;
  /** False for a row that only illustrates another one, so that sums over rows count nothing twice. */
  counted: boolean;
  collect_id: string;
  /** The collect that a loss is measured against. */
  previous_collect_id: string | null;
  /** Null if the row is about a topic, or about everything that was asked. */
  keyword_id: string | null;
  keyword: string | null;
  topic_id: string | null;
  topic: string | null;
  /** Null if the row is about all sources. */
  source: Source | null;
  search_volume: number | null;
  /** Eligible answers; for a cited site those that cite it. */
  answers: number;
  /** Those in which the own brand appears; for a cited site those that cite the own domains too. */
  occurrences: number;
  previous_answers: number | null;
  previous_occurrences: number | null;
  /** Mean rank of the own brand where it appears. */
  rank: number | null;
  previous_rank: number | null;
  /** The competitor that appears most. */
  brand_id: string | null;
  brand: string | null;
  brand_occurrences: number | null;
  brand_rank: number | null;
  domain: string | null;
  /** The page of the domain that is cited most. */
  url: string | null;
  /** Some of the answers, to be opened with get_answer. */
  answer_ids: string[];
  /** Null, or absent where it was stored before there were any, if the row is about presence or a cited site. */
  opinion?: Opinion | null;
  audit?: Audited | null;
}

/** What a check of an audit found: of all pages together where there is no page, else of one. `excerpt` is text from outside. */
export interface Audited {
  check: string;
  /** Null of all pages, and of the site. */
  page_id: string | null;
  outcome: CheckOutcome;
  message: string | null;
  excerpt: string | null;
  /** Line of the HTML that the excerpt is of. */
  line: number | null;
  /** Answers of other analyses that cite the page or these pages, and those that were made with it without citing it. */
  cited_in: number;
  read_for: number;
}

/** What an opinion is: a con, a declared fact that is contradicted, a preference, or a score of an attribute. */
export const OPINION_KINDS = ["con", "fact", "comparison", "score"] as const;

/** What answers of a brand analysis say of the own brand. `about` and `said` can be text from outside. */
export interface Opinion {
  kind: (typeof OPINION_KINDS)[number];
  /** The head noun of the con, the attribute, or the aspect; null of all aspects together. */
  about: string | null;
  fact_id: string | null;
  /** Prompts that have such answers. */
  prompts: number;
  /** In words of the answers: the commonest ones for the con, or a sentence. */
  said: string | null;
  /** What the fact is. */
  declared: string | null;
  /** Share of the answers, of a comparison the win rate (ties half), or the mean score from -5 to 5; null where it was not counted. */
  value: number | null;
  /** Its 95 % interval for prompts like these; null below five. */
  ci_low: number | null;
  ci_high: number | null;
  /** The competitor's mean score. */
  brand_value: number | null;
  brand_ci_low: number | null;
  brand_ci_high: number | null;
}

export interface Measured {
  collect_id: string;
  collect_number: number;
  answers: number;
  occurrences: number;
  rank: number | null;
  /** 95 % interval of occurrences / answers; null below five keywords, and until an effect is measured. */
  ci_low: number | null;
  ci_high: number | null;
}

/**
 * What an implemented brief changed, measured by the first collect after it, and by the next one where that gave a first sign.
 * Only `moved` is an effect.
 */
export interface Effect {
  before: Measured;
  after: Measured;
  /** Chance of a difference at least as large if nothing had changed; null if it cannot be told. */
  p_value: number | null;
  verdict: Verdict;
}

export type BaselineRow = Pick<Evidence, "rule" | "keyword_id" | "topic_id" | "source" | "domain" | "brand_id"> & {
  opinion?: Pick<Opinion, "kind" | "about" | "fact_id"> | null;
};

export interface Baseline {
  measured: Measured;
  rows: BaselineRow[];
}

/** Texts of a recommended action. Every figure in them is in the evidence or a sum over it. */
export interface Phrases {
  category: (typeof ACTION_CATEGORIES)[number];
  actionLabel: string;
  triggerText: string;
  description: string;
  reasoning: string;
  tasks: { step: TaskStep; title: string; description: string }[];
}

/** Steps of actions. A step keeps its name, so that an update finds its task again. */
export type TaskStep =
  | "page"
  | "sources"
  | "diagnose"
  | "restore"
  | "approach"
  | "material"
  | "own_pages"
  | "other_pages"
  | "compare"
  | "fix_pages"
  | "keep_fixed";

/** Names that texts of an action use: the own brand, and the topic of its analysis. */
export interface Teller {
  own: string;
  asked: "keyword" | "prompt";
}
