/** Rate limits of a provider. */
export interface Limits {
  requests: number;
  /** Length of a sliding window, or of consecutive fixed windows. */
  windowMs: number;
  isFixed: boolean;
  atOnce: number;
}

/** Counts requests as their provider does. Times are milliseconds. */
export function openCounter({ requests, windowMs, isFixed, atOnce }: Limits) {
  const recent: number[] = [];
  let window = { began: -Infinity, counted: 0 };
  let open = 0;

  function isWithinFixed(now: number): boolean {
    if (now >= window.began + windowMs) window = { began: now, counted: 0 };
    window.counted += 1;
    return window.counted <= requests;
  }

  function isWithinAny(now: number): boolean {
    recent.push(now);
    if (recent.length > requests + 1) recent.shift();
    return recent.length <= requests || now - (recent[0] ?? 0) >= windowMs;
  }

  return {
    /** False for a request above the limit. */
    begin(now: number): boolean {
      open += 1;
      const isWithin = isFixed ? isWithinFixed(now) : isWithinAny(now);
      return isWithin && open <= atOnce;
    },
    end: () => void (open -= 1),
    /** For fixed windows: the remaining requests of the current one, and when it ends. */
    left(now: number) {
      return { left: Math.max(0, requests - window.counted), resetMs: Math.max(0, window.began + windowMs - now) };
    },
  };
}
