import type { Instant } from "../shared/time.ts";

/** A question that a provider was given as a task, which it bills once it has taken it. Kept with its job, so that none is given twice. */
export interface Submission {
  provider: string;
  /** What the provider knows the task by before it has given it a name: our own, sent along where it takes one. */
  key: string;
  begunAt: Instant;
  /** What the provider calls the task, or whatever else it takes to ask for its answer; null until it is known that it has it. */
  task: string | null;
  /** US dollars that it has billed so far, which stand in the ledger already. */
  costUsd: number;
}
