import { FAILURE_MESSAGES, type FailureKind } from "../../../core/sources/provider-failures.ts";

export type { FailureKind };

/** A malformed body may be truncated. */
const RETRYABLE_FAILURES: ReadonlySet<FailureKind> = new Set(["rate_limited", "timeout", "unavailable", "malformed"]);
/** Each such response is billed. */
const MAX_ATTEMPTS: Partial<Record<FailureKind, number>> = { malformed: 2 };
const MAYBE_ACCEPTED_FAILURES: ReadonlySet<FailureKind> = new Set(["timeout", "unavailable", "malformed", "too_large"]);

/** Free unless the provider reports a bill. */
const UNBILLED_FAILURES: ReadonlySet<FailureKind> = new Set([
  "unauthorized",
  "out_of_quota",
  "rate_limited",
  "rejected",
  "unsupported",
]);

interface ProviderErrorDetails {
  /** Shown to people; never quotes the provider. */
  message?: string | undefined;
  /** A retry cannot help: the answer is lost, or would be billed twice. */
  isFinal?: boolean | undefined;
  retryAfterMs?: number | undefined;
  rawBody?: string | undefined;
  costUsd?: number | undefined;
  /** False if nothing can have reached the provider. */
  wasSent?: boolean | undefined;
  wasRefused?: boolean | undefined;
  cause?: unknown;
}

export class ProviderError extends Error {
  override name = "ProviderError";
  readonly kind: FailureKind;
  readonly isRetryable: boolean;
  readonly maxAttempts: number;
  /** The provider may have a task without a response. */
  readonly mayHaveAccepted: boolean;
  readonly retryAfterMs: number | undefined;
  readonly rawBody: string | undefined;
  readonly costUsd: number;
  readonly mayBeBilled: boolean;

  constructor(kind: FailureKind, details: ProviderErrorDetails = {}) {
    super(
      details.message ?? FAILURE_MESSAGES[kind],
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.kind = kind;
    this.isRetryable = RETRYABLE_FAILURES.has(kind) && details.isFinal !== true;
    this.maxAttempts = MAX_ATTEMPTS[kind] ?? Infinity;
    this.mayHaveAccepted = details.wasSent !== false && MAYBE_ACCEPTED_FAILURES.has(kind);
    this.retryAfterMs = details.retryAfterMs;
    this.rawBody = details.rawBody;
    this.costUsd = details.costUsd ?? 0;
    const { costUsd, wasSent, wasRefused, cause } = details;
    const isSettled = costUsd !== undefined || wasSent === false || wasRefused === true || UNBILLED_FAILURES.has(kind);
    // Bills of earlier requests say nothing about the failed one.
    this.mayBeBilled = cause instanceof ProviderError ? cause.mayBeBilled : !isSettled;
  }
}
