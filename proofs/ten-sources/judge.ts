import { isResultPageSource } from "../../core/sources/sources.ts";
import { FATES, fateOf, type End, type Odds, type Question } from "./fates.ts";
import type { Limits } from "./limits.ts";
import type { LogLine } from "./outside.ts";
import type { Wire } from "./wire.ts";

/** Requests in flight during a rejection, or before a busy process read it, are no violation. */
const IN_FLIGHT_MS = 500;

/** Evaluation of a provider's request log. */
export interface Verdict {
  requests: number;
  /** Requests above its limit, by its own count. */
  over: number;
  /** Requests to addresses that the provider does not have. */
  unknown: number;
  /** Requests within a wait that it had asked for. */
  early: number;
  maxInWindow: number;
  mostAtOnce: number;
  /** Repeated answers to one question, requested again after a crash. */
  again: number;
  /** Billed amount in millionths of a US dollar. */
  billed: number;
}

/** Evaluates a provider's log lines, in request order. */
export function judge(lines: readonly LogLine[], limits: Limits): Verdict {
  const count = (did: LogLine["did"]) => lines.filter((line) => line.did === did).length;
  return {
    requests: lines.length,
    over: count("over"),
    unknown: count("unknown"),
    early: countEarly(lines),
    maxInWindow: limits.isFixed ? maxInFixedWindow(lines, limits) : maxInAnyWindow(lines, limits),
    mostAtOnce: maxConcurrent(lines),
    again: countAnsweredAgain(lines),
    billed: lines.reduce((sum, { micros }) => sum + micros, 0),
  };
}

function countEarly(lines: readonly LogLine[]): number {
  const waits = lines.filter(({ waitMs }) => waitMs > 0);
  const isEarly = (came: number) =>
    waits.some(({ out, waitMs }) => came > out + IN_FLIGHT_MS && came < out + waitMs - 1);
  return lines.filter((line) => isEarly(line.in)).length;
}

function maxInAnyWindow(lines: readonly LogLine[], { windowMs }: Limits): number {
  let [first, most] = [0, 0];
  for (const [at, line] of lines.entries()) {
    while (line.in - (lines[first]?.in ?? 0) >= windowMs) first += 1;
    most = Math.max(most, at - first + 1);
  }
  return most;
}

function maxInFixedWindow(lines: readonly LogLine[], { windowMs }: Limits): number {
  let [began, counted, most] = [-Infinity, 0, 0];
  for (const line of lines) {
    if (line.in >= began + windowMs) [began, counted] = [line.in, 0];
    counted += 1;
    most = Math.max(most, counted);
  }
  return most;
}

function maxConcurrent(lines: readonly LogLine[]): number {
  const steps = lines.flatMap((line) => [
    { at: line.in, by: 1 },
    { at: line.out, by: -1 },
  ]);
  let [open, most] = [0, 0];
  for (const { by } of steps.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}

export const keyOf = ({ source, prompt }: Question) => `${source} ${prompt}`;

function countAnsweredAgain(lines: readonly LogLine[]): number {
  const keys = lines.flatMap(({ did, question }) => (did === "answer" && question ? keyOf(question) : []));
  return keys.length - new Set(keys).size;
}

/** Questions billed for more than one submission, or more than two if the first task failed. */
export function billedTwice(lines: readonly LogLine[]): string[] {
  const counts = new Map<string, number>();
  const failed = new Set(lines.flatMap(({ question, did }) => (question && did === "error" ? keyOf(question) : [])));
  for (const { question, what, micros } of lines) {
    if (question && what === "submit" && micros > 0)
      counts.set(keyOf(question), (counts.get(keyOf(question)) ?? 0) + 1);
  }
  return [...counts].filter(([key, count]) => count > (failed.has(key) ? 2 : 1)).map(([key]) => key);
}

/**
 * Expected outcome of each question. After a crash, a submission to a provider that accepts a key
 * once and then reports nothing about it appears only in the log.
 */
export function expectedEnds(
  wire: Wire,
  { prompts, odds, lines }: { prompts: readonly string[]; odds: Odds; lines: readonly LogLine[] },
): Map<string, End> {
  const refusedKey = new Set(
    wire.name === "cloro"
      ? lines.flatMap(({ did, question }) => (did === "known" && question ? keyOf(question) : []))
      : [],
  );
  const endOf = (question: Question): End => {
    const fate = fateOf(question, odds);
    if (refusedKey.has(keyOf(question))) return "unavailable";
    // An empty page of results is an answer.
    if (fate === undefined || (fate === "refusal" && isResultPageSource(question.source))) return "answered";
    return wire.ends?.[fate] ?? FATES[fate].end;
  };
  const questions = wire.sources.flatMap((source) => prompts.map((prompt) => ({ source, prompt })));
  return new Map(questions.map((question) => [keyOf(question), endOf(question)]));
}

/** Unexpected outcomes with their counts: `answered is rejected`. */
export function differences(
  expected: ReadonlyMap<string, End>,
  stored: ReadonlyMap<string, string>,
): Record<string, number> {
  const wrong = [...expected].filter(([key, end]) => stored.get(key) !== end);
  return tally(wrong.map(([key, end]) => `${end} is ${stored.get(key)}`));
}

export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values.toSorted()) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
