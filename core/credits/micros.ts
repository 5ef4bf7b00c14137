/** Millionths of a US dollar, rounded up: money that is kept within a cap is counted in whole ones. */
export function microsOf(usd: number): number {
  // What binary fractions add beyond a thousandth of one is no money.
  return Math.ceil(Number((usd * 1_000_000).toFixed(3)));
}

/** A cap in millionths of a US dollar, rounded down: it is never passed. */
export function capMicrosOf(usd: number): number {
  return Math.floor(Number((usd * 1_000_000).toFixed(3)));
}

/** US dollars of what is counted in millionths. */
export function usdOf(micros: number): number {
  return micros / 1_000_000;
}
