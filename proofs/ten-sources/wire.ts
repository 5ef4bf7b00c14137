import type { Source } from "../../core/sources/sources.ts";
import type { End, Fate, Question } from "./fates.ts";

/** A provider's response. */
export interface ProviderReply {
  status?: number;
  headers?: Record<string, string>;
  /** Response body: text as is, anything else as JSON. */
  body: unknown;
  /** Billed amount in millionths of a US dollar. */
  micros?: number;
  /** Wait that the response asks for. */
  waitMs?: number;
}

export interface ProviderRequest {
  method: string;
  /** Path relative to the provider's address. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** Fates that a provider's API expresses in a response. */
type SpokenFate = Exclude<Fate, "dead" | "cut" | "html" | "hang" | "reset">;

/** A provider's API, as documented. */
export interface Wire {
  name: string;
  /** Prefix of the provider's settings. */
  prefix: string;
  sources: readonly Source[];
  /** Settings of the provider besides address, limits and caps. */
  env: Record<string, string>;
  /** Path below the simulated providers' address. */
  base: string;
  /** Max cost of an answer in US dollars, if its declaration has no close bound. */
  maxUsd?: string;
  /** The question that a request sends, or submits under our key; undefined for other requests. */
  read: (asked: ProviderRequest) => (Question & { key?: string }) | undefined;
  answer: (question: Question, task: string) => ProviderReply;
  says: Record<SpokenFate, (question: Question, of: { task: string; waitMs: number }) => ProviderReply>;
  /** Outcomes that differ from the usual ones. */
  ends?: Partial<Record<Fate, End>>;
  /** A fate that affects every request here instead of only the first. */
  lasting?: Fate;
  /** Rate limit headers of its responses, if it has them. */
  limitHeaders?: (of: { limit: number; left: number; resetMs: number; nowMs: number }) => Record<string, string>;
  tasks?: TaskWire;
}

/** How a provider handles tasks. */
export interface TaskWire {
  /** The task that a request polls. */
  polled: (asked: ProviderRequest) => string | undefined;
  /** Response to an accepted submission, which is billed. */
  taken: (question: Question, task: string) => ProviderReply;
  pending: (question: Question, task: string) => ProviderReply;
  /** Response to a submission whose key was used before. */
  known: (question: Question, task: string) => ProviderReply;
  /** Number of polls before a task completes. */
  polls: number;
  /** Its tasks in the order of acceptance, if a request lists them. */
  listed?: (asked: ProviderRequest, tasks: readonly Taken[]) => ProviderReply | undefined;
}

/** An accepted task. */
export interface Taken {
  id: string;
  key: string;
  question: Question;
  /** Acceptance time in milliseconds since 1970. */
  atMs: number;
  /** True for the first task of its question. */
  isFirst: boolean;
}

const ANSWER_TEXT = "It is well made, easy to set up, and people who compared several of them kept it for years. ";
export const PAGES = ["https://acme.test/phones", "https://review.test/2026/phones", "https://rival.test/"];

/** Answer text that names the question, so that a stored answer can be matched to it. */
export function textFor({ source, prompt }: Question): string {
  return `**Acme** leads for ${prompt} (${source}). ${ANSWER_TEXT.repeat(4)}\n\n1. Acme: solid.\n2. Rival: light. ${ANSWER_TEXT.repeat(4)}`;
}

/** A model's refusal. */
export const REFUSED = "I cannot help with that.";
/** JSON that no provider documents. */
export const GARBLED = { kind: "beta", payload: [{ said: "Acme" }] };
