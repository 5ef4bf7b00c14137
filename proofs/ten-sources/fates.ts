import { createHash } from "node:crypto";
import type { FailureCause } from "../../core/sources/question-outcomes.ts";
import type { Source } from "../../core/sources/sources.ts";

/**
 * Possible outcomes of a question at its provider. `once` affects only its first request, otherwise
 * every request.
 */
export const FATES = {
  /** Too many requests, with the provider's wait if it names one. */
  limited: { once: true, end: "answered" },
  /** The account's quota is used up, so a retry does not help. */
  quota: { once: false, end: "out_of_quota" },
  down: { once: true, end: "answered" },
  dead: { once: false, end: "unavailable" },
  /** An error with status 200. */
  error: { once: true, end: "answered" },
  /** The connection breaks in the middle of the answer, which is billed. */
  cut: { once: true, end: "answered" },
  /** An HTML page instead of JSON. */
  html: { once: false, end: "malformed" },
  /** Undocumented JSON, which is billed. */
  garbled: { once: false, end: "malformed" },
  /** No answer in time; it is billed. */
  hang: { once: true, end: "answered" },
  refusal: { once: false, end: "refused" },
  rejected: { once: false, end: "rejected" },
  /** The connection breaks before the provider accepts the question. */
  reset: { once: true, end: "answered" },
} as const satisfies Record<string, { once: boolean; end: End }>;

export type Fate = keyof typeof FATES;
/** The stored outcome of a question. */
export type End = "answered" | "refused" | "not_shown" | FailureCause;

/** One prompt to one source. */
export interface Question {
  source: Source;
  prompt: string;
}

/** Number of questions per thousand with each fate, drawn by a seed. */
export interface Odds {
  seed: string;
  perThousand: number;
}

// Safe: these are its keys.
const NAMES = Object.keys(FATES) as Fate[];

/** The fate of a question; undefined for most, which are answered at once. */
export function fateOf({ source, prompt }: Question, { seed, perThousand }: Odds): Fate | undefined {
  const drawn = createHash("sha256").update(`${seed} ${source} ${prompt}`).digest().readUInt32BE(0) % 1000;
  return NAMES[Math.floor(drawn / perThousand)];
}
