import { classOf, LOWER, UPPER } from "./word-boundaries.ts";

/** Where fewer of a hundred letters than this are capitals, a text is in small letters. */
const FEW_CAPITALS = 1;
/** Where fewer of a hundred letters than this are small, a text is in capitals. */
const FEW_SMALL = 10;

/** True for a text whose letters are nearly all capitals or nearly all small: case tells nothing there. */
export function isOneCase(cased: string): boolean {
  let capitals = 0;
  let small = 0;
  for (let i = 0; i < cased.length; i += 1) {
    const kind = classOf(cased.charCodeAt(i));
    if (kind === UPPER) capitals += 1;
    else if (kind === LOWER) small += 1;
  }
  const letters = capitals + small;
  return capitals * 100 < FEW_CAPITALS * letters || small * 100 < FEW_SMALL * letters;
}
