import type { CheckDeclaration } from "../audits/check.ts";
import { SOURCES, type FunnelStage, type Source } from "../sources/sources.ts";
import type { PromptClusters } from "../metrics/prompt-clusters.ts";
import type { ACTION_CHANNELS, ActionRule, Evidence } from "./action.ts";
import type { CollectView, ComparedBrands } from "./collect-view.ts";

export type ActionChannel = (typeof ACTION_CHANNELS)[number];

/** A Generic keyword or unaided prompt; type Brand is excluded, as in headline visibility. */
export interface RuleKeyword {
  /** Id and position of the first question. */
  id: string;
  position: number;
  /** Questions in order; a keyword is its only question. */
  questions: readonly { id: string; position: number }[];
  text: string;
  /** Null for prompts of a brand analysis, which are all about its category. */
  topicId: string | null;
  /** Name of the topic, or category. */
  topic: string;
  funnelStage: FunnelStage | null;
  searchVolume: number | null;
}

export interface RuleInput {
  collect: CollectView;
  keywords: readonly RuleKeyword[];
  /** Groups of questions that form one prompt. */
  promptClusters: PromptClusters;
  compared: ComparedBrands;
  brandNames: ReadonlyMap<string, string>;
}

export interface ActionFinding {
  rule: ActionRule;
  /** Stable identity of the finding within analysis and rule, across collects. */
  subject: string;
  channel: ActionChannel;
  subjectName: string;
  evidence: Evidence[];
  keywords: readonly number[];
  /** Share of answers that lack the brand or express the fault, 0 to 1. */
  gap: number;
  /** Share of prompts affected, for opinions; null if search volume measures demand. */
  reach: number | null;
  answers: number;
  /** p-value of a loss. */
  pValue: number | null;
  rival: string | null;
  siteType: string | null;
  /** The failed check; set in findings of audits only. */
  failed?: FailedCheck;
}

export interface FailedCheck {
  check: Omit<CheckDeclaration, "id">;
  isSiteCheck: boolean;
  checkedCount: number;
  failing: number;
  warnedCount: number;
  /** Failing pages cited by answers, failing pages used without citation, and these answers. */
  cited: { pageCount: number; answers: number };
  retrieved: { pageCount: number; answers: number };
  passingRivalPageCount: number;
}

/** Generator that yields so that the caller can let others run. */
export type Steps<T> = Generator<undefined, T>;

/** Max rows of evidence per action, strongest first. */
const MAX_EVIDENCE_ROWS = 20;

export const MIN_ANSWERS = 3;

const CHANNEL_BY_SOURCE: Record<Source, ActionChannel> = {
  SEARCH_A: "search_results",
  SEARCH_A_AIO: "ai_overviews",
  ASSISTANT_A: "assistants",
  ASSISTANT_B: "assistants",
  SEARCH_B: "search_results",
  SEARCH_B_AIO: "ai_overviews",
  SEARCH_B_AI_MODE: "ai_overviews",
  ASSISTANT_C: "assistants",
  ASSISTANT_D: "assistants",
  MARKETPLACE_ASSISTANT: "marketplace",
};

export function getChannel(source: Source): ActionChannel {
  return CHANNEL_BY_SOURCE[source];
}

export const SOURCE_CHANNELS: readonly ActionChannel[] = [...new Set(SOURCES.map(getChannel))];

export function groupByTopic(keywords: readonly RuleKeyword[]): Map<string | null, RuleKeyword[]> {
  const topics = new Map<string | null, RuleKeyword[]>();
  for (const keyword of keywords) {
    const known = topics.get(keyword.topicId);
    if (known) known.push(keyword);
    else topics.set(keyword.topicId, [keyword]);
  }
  return topics;
}

export function listPositions({ questions }: RuleKeyword): number[] {
  return questions.map(({ position }) => position);
}

export function buildTopicSubject({ topicId }: RuleKeyword): string {
  return topicId === null ? "category" : `topic:${topicId}`;
}

export function toTopicColumns({ topicId, topic }: RuleKeyword): Pick<Evidence, "topic_id" | "topic"> {
  return { topic_id: topicId, topic: topicId === null ? null : topic };
}

export function ownColumns({ compared, brandNames }: RuleInput): Pick<Evidence, "brand_id" | "brand"> {
  return { brand_id: compared.ownId, brand: brandNames.get(compared.ownId) ?? null };
}

export function evidenceRow(
  row: Pick<Evidence, "rule" | "collect_id" | "answers" | "occurrences"> & Partial<Evidence>,
): Evidence {
  return { ...EMPTY_EVIDENCE, ...row };
}

export function selectStrongest(rows: readonly Evidence[], weight: (row: Evidence) => number): Evidence[] {
  return rows.toSorted((a, b) => weight(b) - weight(a)).slice(0, MAX_EVIDENCE_ROWS);
}

const EMPTY_EVIDENCE: Omit<Evidence, "rule" | "collect_id" | "answers" | "occurrences"> = {
  counted: true,
  previous_collect_id: null,
  keyword_id: null,
  keyword: null,
  topic_id: null,
  topic: null,
  source: null,
  search_volume: null,
  previous_answers: null,
  previous_occurrences: null,
  rank: null,
  previous_rank: null,
  brand_id: null,
  brand: null,
  brand_occurrences: null,
  brand_rank: null,
  domain: null,
  url: null,
  answer_ids: [],
  opinion: null,
};
