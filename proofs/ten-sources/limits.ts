/** What a provider allows. */
export interface Limits {
  requests: number;
  /** In any so many milliseconds, or in windows of so many that follow each other. */
  windowMs: number;
  isFixed: boolean;
  atOnce: number;
}

/** Counts requests as their provider does. Instants are milliseconds. */
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
    /** False for a request more than there may be. */
    begin(now: number): boolean {
      open += 1;
      const isWithin = isFixed ? isWithinFixed(now) : isWithinAny(now);
      return isWithin && open <= atOnce;
    },
    end: () => void (open -= 1),
    /** Of fixed windows: what is left of the one that is open, and until when. */
    left(now: number) {
      return { left: Math.max(0, requests - window.counted), resetMs: Math.max(0, window.began + windowMs - now) };
    },
  };
}
