import { classOf, LOWER, UPPER } from "./word-boundaries.ts";

/** Percent of capitals below which a text is lower case. */
const FEW_CAPITALS = 1;
/** Percent of lower-case letters below which a text is upper case. */
const FEW_SMALL = 10;

/** True if nearly all letters have one case, so that case does not distinguish names. */
export function isOneCase(cased: string): boolean {
  let capitals = 0;
  let small = 0;
  const { length } = cased;
  for (let i = 0; i < length; i += 1) {
    const unit = cased.charCodeAt(i);
    if (unit >= 0x61 && unit <= 0x7a) small += 1;
    else if (unit > 0x40) {
      const kind = classOf(unit);
      if (kind === LOWER) small += 1;
      else if (kind === UPPER) {
        capitals += 1;
        // Both cases suffice even if all characters were letters.
        if (capitals * 100 >= FEW_CAPITALS * length && small * 100 >= FEW_SMALL * length) return false;
      }
    }
  }
  const letters = capitals + small;
  return capitals * 100 < FEW_CAPITALS * letters || small * 100 < FEW_SMALL * letters;
}
