/** Millionths of a US dollar, rounded up, so that caps hold. */
export function usdToMicros(usd: number): number {
  // Rounds binary fractions below a thousandth of a millionth.
  return Math.ceil(Number((usd * 1_000_000).toFixed(3)));
}

/** A cap in millionths of a US dollar, rounded down. */
export function toCapMicros(usd: number): number {
  return Math.floor(Number((usd * 1_000_000).toFixed(3)));
}

export function toUsd(micros: number): number {
  return micros / 1_000_000;
}
