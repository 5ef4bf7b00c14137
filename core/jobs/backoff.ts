const MAX_BACKOFF_MS = 5 * 60_000;

/** Exponential backoff with full jitter, so retries do not synchronise; at least the retry hint. */
export function computeBackoffMs(
  attempt: number,
  options: { baseMs: number; retryAfterMs: number | undefined; random: number },
): number {
  const longest = Math.min(MAX_BACKOFF_MS, options.baseMs * 2 ** (attempt - 1));
  return Math.max(Math.ceil(options.random * longest), options.retryAfterMs ?? 0);
}
