import type { CheckOutcome } from "../audits/check.ts";
import type { Source } from "../sources/sources.ts";
import type { ChangeVerdict } from "../statistics/verdict.ts";

/** Rules of recommended actions (service.md section 6). */
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

/** Sort fields of action lists, with the default direction. */
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

/** Measured fact behind an action, in field names of the interface; text is as stored. */
export interface Evidence {
  /** Null for rows of a content brief. */
  rule: ActionRule | null;
  /** False for a row that illustrates another one; sums skip it. */
  counted: boolean;
  collect_id: string;
  /** Earlier collect that a loss is measured against. */
  previous_collect_id: string | null;
  /** Null for rows about a topic or about all keywords. */
  keyword_id: string | null;
  keyword: string | null;
  topic_id: string | null;
  topic: string | null;
  /** Source of the row; null for rows about all sources. */
  source: Source | null;
  search_volume: number | null;
  /** Eligible answers; for a cited site, the answers that cite it. */
  answers: number;
  /** Answers with the own brand; for a cited site, those that also cite an own domain. */
  occurrences: number;
  previous_answers: number | null;
  previous_occurrences: number | null;
  /** Mean rank of the own brand. */
  rank: number | null;
  previous_rank: number | null;
  /** Competitor with the most occurrences. */
  brand_id: string | null;
  brand: string | null;
  brand_occurrences: number | null;
  brand_rank: number | null;
  domain: string | null;
  /** Most cited page of the domain. */
  url: string | null;
  /** Ids of sample answers, to open with get_answer. */
  answer_ids: string[];
  /** Opinion behind the row; null for rows about presence or a cited site, absent in old rows. */
  opinion?: OpinionEvidence | null;
  audit?: AuditEvidence | null;
}

/** Outcome of an audit check, for one page or for all pages. `excerpt` is untrusted text. */
export interface AuditEvidence {
  check: string;
  /** Null if the row is about all pages or the whole site. */
  page_id: string | null;
  outcome: CheckOutcome;
  message: string | null;
  excerpt: string | null;
  /** Line of the excerpt in the HTML. */
  line: number | null;
  /** Answers of other analyses: those that cite these pages, and those that only used them. */
  cited_in: number;
  read_for: number;
}

/** A con, a contradicted fact, a preference, or an attribute score. */
export const OPINION_KINDS = ["con", "fact", "comparison", "score"] as const;

/** Opinion on the own brand in a brand analysis. `about` and `said` can be untrusted text. */
export interface OpinionEvidence {
  kind: (typeof OPINION_KINDS)[number];
  /** Head noun of the con, attribute, or aspect; null for all aspects. */
  about: string | null;
  fact_id: string | null;
  /** Number of prompts whose answers express the opinion. */
  prompts: number;
  /** Wording of the answers: the most frequent phrase of the con, or a sentence. */
  said: string | null;
  declared: string | null;
  /** Share of answers, win rate (ties count half), or mean score from -5 to 5; null if unknown. */
  value: number | null;
  /** 95 % interval over prompts; null below five. */
  ci_low: number | null;
  ci_high: number | null;
  /** Mean score of the competitor. */
  brand_value: number | null;
  brand_ci_low: number | null;
  brand_ci_high: number | null;
}

export interface MeasuredMetric {
  collect_id: string;
  collect_number: number;
  answers: number;
  occurrences: number;
  rank: number | null;
  /** 95 % interval of occurrences / answers; null below five keywords or before measurement. */
  ci_low: number | null;
  ci_high: number | null;
}

/** Effect of an implemented brief; a first sign is measured again. Only `moved` is an effect. */
export interface Effect {
  before: MeasuredMetric;
  after: MeasuredMetric;
  /** p-value of the difference; null if unknown. */
  p_value: number | null;
  verdict: ChangeVerdict;
}

export type BaselineRow = Pick<Evidence, "rule" | "keyword_id" | "topic_id" | "source" | "domain" | "brand_id"> & {
  opinion?: Pick<OpinionEvidence, "kind" | "about" | "fact_id"> | null;
};

export interface Baseline {
  measured: MeasuredMetric;
  rows: BaselineRow[];
}

/** Texts of a recommended action. Each number in them is in the evidence or a sum of it. */
export interface Phrases {
  category: (typeof ACTION_CATEGORIES)[number];
  actionLabel: string;
  triggerText: string;
  description: string;
  reasoning: string;
  tasks: { step: TaskStep; title: string; description: string }[];
}

/** Steps of an action. Names are stable, so that updates find existing tasks. */
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

/** Names that texts of actions use: the own brand, and the noun for the analysis's prompts. */
export interface PhraseContext {
  own: string;
  promptNoun: "keyword" | "prompt";
}
