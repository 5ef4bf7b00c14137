import { characterClassOf, LOWER, UPPER } from "./word-boundaries.ts";

/** Percent of capitals below which a text is lower case. */
const MAX_CAPITALS_PERCENT = 1;
/** Percent of lower-case letters below which a text is upper case. */
const MAX_LOWER_CASE_PERCENT = 10;

/** True if nearly all letters have one case, so that case does not distinguish names. */
export function isSingleCase(cased: string): boolean {
  let capitals = 0;
  let small = 0;
  const { length } = cased;
  for (let i = 0; i < length; i += 1) {
    const unit = cased.charCodeAt(i);
    if (unit >= 0x61 && unit <= 0x7a) small += 1;
    else if (unit > 0x40) {
      const kind = characterClassOf(unit);
      if (kind === LOWER) small += 1;
      else if (kind === UPPER) {
        capitals += 1;
        // Both cases suffice even if all characters were letters.
        if (capitals * 100 >= MAX_CAPITALS_PERCENT * length && small * 100 >= MAX_LOWER_CASE_PERCENT * length)
          return false;
      }
    }
  }
  const letters = capitals + small;
  return capitals * 100 < MAX_CAPITALS_PERCENT * letters || small * 100 < MAX_LOWER_CASE_PERCENT * letters;
}
