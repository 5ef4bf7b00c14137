const LONGEST_MS = 5 * 60_000;

/**
 * How long to wait before the attempt after the `attempt`-th: exponential with full jitter, so that many failures at once
 * do not come back at once. Never shorter than what the provider asked for.
 */
export function backoffMs(
  attempt: number,
  options: { baseMs: number; retryAfterMs: number | undefined; random: number },
): number {
  const longest = Math.min(LONGEST_MS, options.baseMs * 2 ** (attempt - 1));
  return Math.max(Math.ceil(options.random * longest), options.retryAfterMs ?? 0);
}
