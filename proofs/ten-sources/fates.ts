import { createHash } from "node:crypto";
import type { FailureCause } from "../../core/sources/question-ends.ts";
import type { Source } from "../../core/sources/sources.ts";

/** What becomes of a question where nothing goes wrong on our side: `once` strikes its first request alone, the others every one. */
export const FATES = {
  /** Too many requests, with the wait that this provider names, if it names one. */
  limited: { once: true, end: "answered" },
  /** The account has no quota left: asking again does not help. */
  quota: { once: false, end: "out_of_quota" },
  down: { once: true, end: "answered" },
  dead: { once: false, end: "unavailable" },
  /** An error that is told with status 200. */
  error: { once: true, end: "answered" },
  /** The connection breaks in the middle of the answer, which is billed. */
  cut: { once: true, end: "answered" },
  /** A page in place of JSON. */
  html: { once: false, end: "malformed" },
  /** JSON of a shape that is not documented, which is billed. */
  garbled: { once: false, end: "malformed" },
  /** No answer in time; it is billed. */
  hang: { once: true, end: "answered" },
  refusal: { once: false, end: "refused" },
  rejected: { once: false, end: "rejected" },
  /** The connection breaks before the provider takes the question. */
  reset: { once: true, end: "answered" },
} as const satisfies Record<string, { once: boolean; end: End }>;

export type Fate = keyof typeof FATES;
/** How a question ends, as it is stored. */
export type End = "answered" | "refused" | "not_shown" | FailureCause;

/** What a provider is asked: one question of one source. */
export interface Question {
  source: Source;
  prompt: string;
}

/** How many of a thousand questions have each fate, drawn by a seed. */
export interface Odds {
  seed: string;
  perThousand: number;
}

// Safe: these are its keys.
const NAMES = Object.keys(FATES) as Fate[];

/** The fate of a question; undefined for the most, which are answered at once. */
export function fateOf({ source, prompt }: Question, { seed, perThousand }: Odds): Fate | undefined {
  const drawn = createHash("sha256").update(`${seed} ${source} ${prompt}`).digest().readUInt32BE(0) % 1000;
  return NAMES[Math.floor(drawn / perThousand)];
}
