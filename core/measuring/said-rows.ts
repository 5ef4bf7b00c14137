import type { Column } from "./packed-columns.ts";

/** Rows of one answer, in columns by question and run. */
export interface AnswerRows {
  question: number;
  run: number;
  /** The first of them, and the one after the last. */
  from: number;
  to: number;
}

/** The answers that have rows in some columns of what answers say, in their order; of some questions, or of all. */
export function* answersIn(
  { starts, runs }: { starts: Column; runs: Column },
  questions: Iterable<number> = starts.keys(),
): Generator<AnswerRows> {
  for (const question of questions) {
    const end = starts[question + 1] ?? 0;
    for (let from = starts[question] ?? 0; from < end;) {
      const run = runs[from] ?? 0;
      let to = from + 1;
      while (to < end && runs[to] === run) to += 1;
      yield { question, run, from, to };
      from = to;
    }
  }
}
