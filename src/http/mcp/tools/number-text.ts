const SIGNIFICANT_DIGITS = 3;
const MAX_DECIMALS = 6;

/**
 * Number with the digits that its interval justifies (docs/measurement.md, section 4), or
 * 3 significant digits without an interval. Whole numbers without an interval are exact.
 */
export function formatNumber(value: number, [low, high]: readonly unknown[] = []): string {
  const halfWidth = typeof low === "number" && typeof high === "number" ? (high - low) / 2 : 0;
  if (halfWidth <= 0 && Number.isInteger(value)) return String(value);
  // Power of ten of the last digit.
  const place =
    halfWidth > 0
      ? Math.floor(Math.log10(halfWidth / 3))
      : Math.floor(Math.log10(Math.abs(value))) - SIGNIFICANT_DIGITS + 1;
  // Adding 0 removes the sign of -0.
  return String(Number(value.toFixed(Math.min(MAX_DECIMALS, Math.max(0, -place)))) + 0);
}

const MONEY_PATTERN = /usd|credits/;

/** Value as JSON, with rounded numbers except for money. `name` is the field of a plain number. */
export function stringifyRounded(value: unknown, name: string): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    const isMoney = MONEY_PATTERN.test(key === "" ? name : key);
    return typeof inner === "number" && !isMoney ? Number(formatNumber(inner)) : inner;
  });
}
