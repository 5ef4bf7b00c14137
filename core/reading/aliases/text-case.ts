import { classOf, LOWER, UPPER } from "./word-boundaries.ts";

/** Where fewer of a hundred letters than this are capitals, a text is in small letters. */
const FEW_CAPITALS = 1;
/** Where fewer of a hundred letters than this are small, a text is in capitals. */
const FEW_SMALL = 10;

/** True for a text whose letters are nearly all capitals or nearly all small: case tells nothing there. */
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
        // Enough of both for a text in which everything is a letter.
        if (capitals * 100 >= FEW_CAPITALS * length && small * 100 >= FEW_SMALL * length) return false;
      }
    }
  }
  const letters = capitals + small;
  return capitals * 100 < FEW_CAPITALS * letters || small * 100 < FEW_SMALL * letters;
}
