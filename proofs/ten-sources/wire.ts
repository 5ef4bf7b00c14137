import type { Source } from "../../core/sources/sources.ts";
import type { End, Fate, Question } from "./fates.ts";

/** What a provider says. */
export interface Said {
  status?: number;
  headers?: Record<string, string>;
  /** Text as it is; anything else as JSON. */
  body: unknown;
  /** What it bills for this, in millionths of a US dollar. */
  micros?: number;
  /** The wait that it asks for. */
  waitMs?: number;
}

export interface Asked {
  method: string;
  /** Behind the provider's own address. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** What a provider says in place of an answer, where its interface has words for it. */
type Spoken = Exclude<Fate, "dead" | "cut" | "html" | "hang" | "reset">;

/** How one provider is spoken to, in the form that it documents. */
export interface Wire {
  name: string;
  /** How its settings begin. */
  prefix: string;
  sources: readonly Source[];
  /** Its settings beside address, limits and caps. */
  env: Record<string, string>;
  /** Behind the address of the outside world. */
  base: string;
  /** The most that an answer costs, US dollars, where its declaration knows none that is near. */
  mostUsd?: string;
  /** The question that a request asks, or submits under a key of ours; undefined for another request. */
  read: (asked: Asked) => (Question & { key?: string }) | undefined;
  answer: (question: Question, task: string) => Said;
  says: Record<Spoken, (question: Question, of: { task: string; waitMs: number }) => Said>;
  /** Where its fates end otherwise than is usual. */
  ends?: Partial<Record<Fate, End>>;
  /** What strikes every request here that strikes others' first alone. */
  lasting?: Fate;
  /** What its replies say of its limit on requests, where they do. */
  limitHeaders?: (of: { limit: number; left: number; resetMs: number; nowMs: number }) => Record<string, string>;
  tasks?: TaskWire;
}

/** How a provider takes tasks. */
export interface TaskWire {
  /** The task that a request asks for. */
  polled: (asked: Asked) => string | undefined;
  /** What it says of a task that it has just taken, and bills. */
  taken: (question: Question, task: string) => Said;
  pending: (question: Question, task: string) => Said;
  /** What it says where it has the key of a submission already. */
  known: (question: Question, task: string) => Said;
  /** How often a task is asked for in vain. */
  polls: number;
  /** The tasks that it has, in the order in which it took them, where a request asks for these. */
  listed?: (asked: Asked, tasks: readonly Taken[]) => Said | undefined;
}

/** A task that a provider has. */
export interface Taken {
  id: string;
  key: string;
  question: Question;
  /** When it was taken, in milliseconds since 1970. */
  atMs: number;
  /** Of its question. */
  isFirst: boolean;
}

const WHY = "It is well made, easy to set up, and people who compared several of them kept it for years. ";
export const PAGES = ["https://acme.test/phones", "https://review.test/2026/phones", "https://rival.test/"];

/** What is answered: the question is named, so that a stored answer can be told to be its own. */
export function textFor({ source, prompt }: Question): string {
  return `**Acme** leads for ${prompt} (${source}). ${WHY.repeat(4)}\n\n1. Acme: solid.\n2. Rival: light. ${WHY.repeat(4)}`;
}

/** What a model says that refuses. */
export const REFUSED = "I cannot help with that.";
/** JSON that no provider documents. */
export const GARBLED = { kind: "beta", payload: [{ said: "Acme" }] };
