import type { Instant } from "../shared/time.ts";

/** A billable task at a provider, stored with its job so that it is never submitted twice. */
export interface Submission {
  provider: string;
  /** Our own key, sent along if the provider accepts one. */
  key: string;
  begunAt: Instant;
  /** The provider's reference to the task; null until confirmed. */
  task: string | null;
  /** US dollars billed so far, already in the ledger. */
  costUsd: number;
}
