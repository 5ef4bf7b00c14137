import { FAILURES_IN_WORDS, type FailureKind } from "../../../core/sources/provider-failures.ts";

export type { FailureKind };

/** Where asking again later can help. What is malformed may have been broken off on its way. */
const RETRYABLE: ReadonlySet<FailureKind> = new Set(["rate_limited", "timeout", "unavailable", "malformed"]);
/** How often a question is asked at most that ends so: each of these answers is paid for. */
const MOST_ATTEMPTS: Partial<Record<FailureKind, number>> = { malformed: 2 };
/** What leaves open whether the provider took what was sent. */
const UNCERTAIN: ReadonlySet<FailureKind> = new Set(["timeout", "unavailable", "malformed", "too_large"]);

/** What bills nothing, unless the provider says that it did. */
const UNBILLED: ReadonlySet<FailureKind> = new Set([
  "unauthorized",
  "out_of_quota",
  "rate_limited",
  "rejected",
  "unsupported",
]);

interface Details {
  /** For people; it never quotes what a provider sent. */
  message?: string | undefined;
  /** True where asking again cannot help, whatever the kind is: the answer is lost, or would be paid for twice. */
  isFinal?: boolean | undefined;
  /** How long the provider asked to be left alone. */
  retryAfterMs?: number | undefined;
  /** What came, of an answer that is kept for inspection. */
  rawBody?: string | undefined;
  /** What was billed all the same, US dollars. */
  costUsd?: number | undefined;
  /** False where nothing can have reached the provider. */
  wasSent?: boolean | undefined;
  /** True where the provider said, by its status, that it does not answer. */
  wasRefused?: boolean | undefined;
  cause?: unknown;
}

/** A question that was not answered. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly kind: FailureKind;
  /** True where asking again later can help. */
  readonly retryable: boolean;
  readonly mostAttempts: number;
  /** True where a task may have been taken although there was no word of it. */
  readonly mayHaveTaken: boolean;
  readonly retryAfterMs: number | undefined;
  readonly rawBody: string | undefined;
  readonly costUsd: number;
  /** True where the provider may have billed more than that. */
  readonly mayBeBilled: boolean;

  constructor(kind: FailureKind, details: Details = {}) {
    super(
      details.message ?? FAILURES_IN_WORDS[kind],
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.kind = kind;
    this.retryable = RETRYABLE.has(kind) && details.isFinal !== true;
    this.mostAttempts = MOST_ATTEMPTS[kind] ?? Infinity;
    this.mayHaveTaken = details.wasSent !== false && UNCERTAIN.has(kind);
    this.retryAfterMs = details.retryAfterMs;
    this.rawBody = details.rawBody;
    this.costUsd = details.costUsd ?? 0;
    const { costUsd, wasSent, wasRefused, cause } = details;
    const isSettled = costUsd !== undefined || wasSent === false || wasRefused === true || UNBILLED.has(kind);
    // What was billed for earlier requests says nothing of the one that failed.
    this.mayBeBilled = cause instanceof ProviderError ? cause.mayBeBilled : !isSettled;
  }
}
