import type { CheckDeclaration } from "../audits/check.ts";
import { SOURCES, type FunnelStage, type Source } from "../sources/sources.ts";
import type { PromptClusters } from "../metrics/prompt-clusters.ts";
import type { ACTION_CHANNELS, ActionRule, Evidence } from "./action.ts";
import type { CollectView, Compared } from "./collect-view.ts";

export type ActionChannel = (typeof ACTION_CHANNELS)[number];

/**
 * A Generic keyword as the rules see it, or an unaided prompt with its questions in each country and as each persona. Keywords of type Brand
 * stay out of them, as of headline visibility.
 */
export interface RuleKeyword {
  /** Id and position of its first question. */
  id: string;
  position: number;
  /** Its questions, in their order: a keyword is one itself. */
  questions: readonly { id: string; position: number }[];
  text: string;
  /** Null of a prompt: those of a brand analysis are all about its category. */
  topicId: string | null;
  /** The name of the topic, or the category. */
  topic: string;
  funnelStage: FunnelStage | null;
  searchVolume: number | null;
}

/** What the rules are given: a completed collect and everything that its facts are read with. */
export interface RuleInput {
  collect: CollectView;
  keywords: readonly RuleKeyword[];
  /** Which questions are one prompt. */
  clusters: PromptClusters;
  compared: Compared;
  brandNames: ReadonlyMap<string, string>;
}

export interface Finding {
  rule: ActionRule;
  /** What it is about within analysis and rule: the same in every collect that shows it. */
  subject: string;
  channel: ActionChannel;
  /** What the subject is called: a topic, a source or a domain. */
  about: string;
  evidence: Evidence[];
  keywords: readonly number[];
  /** What is missing, 0 to 1. */
  gap: number;
  /** Of what answers say of brands the share of prompts that it concerns; null where searches say how much is asked. */
  reach: number | null;
  /** Answers that it rests on. */
  answers: number;
  /** Of a loss, how likely it is by chance alone. */
  pValue: number | null;
  rival: string | null;
  /** Of a cited site, what kind it is. */
  siteType: string | null;
  /** Of a failed check of an audit, what is told of it. */
  failed?: FailedCheck;
}

export interface FailedCheck {
  check: Omit<CheckDeclaration, "id">;
  /** True where it is a check of the site as a whole. */
  isOfSite: boolean;
  /** Pages that it was made of, and those of them that fail, or are warned of. */
  checked: number;
  failing: number;
  warned: number;
  /** Failing pages that answers cite, those that were only read for answers, and these answers. */
  cited: { pages: number; answers: number };
  read: { pages: number; answers: number };
  /** Pages of competitors that answers cite and that pass. */
  passedBy: number;
}

/** Work that pauses now and then, so that its caller can let others have their turn. */
export type Steps<T> = Generator<undefined, T>;

/** Rows of evidence that an action keeps: the first ones say most. */
const MOST_ROWS = 20;

/** Fewer answers than this are no basis for work. */
export const LEAST_ANSWERS = 3;

const CHANNEL_OF: Record<Source, ActionChannel> = {
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

export function channelOf(source: Source): ActionChannel {
  return CHANNEL_OF[source];
}

/** Channels that sources belong to, in the order of the sources. */
export const SOURCE_CHANNELS: readonly ActionChannel[] = [...new Set(SOURCES.map(channelOf))];

/** Keywords by their topic, in the order of the setup. */
export function byTopic(keywords: readonly RuleKeyword[]): Map<string | null, RuleKeyword[]> {
  const topics = new Map<string | null, RuleKeyword[]>();
  for (const keyword of keywords) {
    const known = topics.get(keyword.topicId);
    if (known) known.push(keyword);
    else topics.set(keyword.topicId, [keyword]);
  }
  return topics;
}

export function positionsOf({ questions }: RuleKeyword): number[] {
  return questions.map(({ position }) => position);
}

/** What findings about the topic of a keyword are told by. */
export function topicSubject({ topicId }: RuleKeyword): string {
  return topicId === null ? "category" : `topic:${topicId}`;
}

export function topicColumns({ topicId, topic }: RuleKeyword): Pick<Evidence, "topic_id" | "topic"> {
  return { topic_id: topicId, topic: topicId === null ? null : topic };
}

export function ownColumns({ compared, brandNames }: RuleInput): Pick<Evidence, "brand_id" | "brand"> {
  return { brand_id: compared.ownId, brand: brandNames.get(compared.ownId) ?? null };
}

/** A row of evidence of which a rule says only what it knows. */
export function evidenceRow(
  row: Pick<Evidence, "rule" | "collect_id" | "answers" | "occurrences"> & Partial<Evidence>,
): Evidence {
  return { ...NOTHING, ...row };
}

export function strongest(rows: readonly Evidence[], weight: (row: Evidence) => number): Evidence[] {
  return rows.toSorted((a, b) => weight(b) - weight(a)).slice(0, MOST_ROWS);
}

const NOTHING: Omit<Evidence, "rule" | "collect_id" | "answers" | "occurrences"> = {
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
