// Max waits. A process with a wrong clock can store instants in the far future; such waits count as
// over.

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

/** Max lease setting; a lease is renewed while its process lives. */
export const MAX_LEASE_MS = 5 * MINUTE_MS;
/** Max delay before a retry; longer hints of providers are ignored. */
export const MAX_RETRY_MS = 15 * MINUTE_MS;
/** Max setting for resuming an interrupted send. */
export const MAX_RECOVERY_MS = HOUR_MS;
