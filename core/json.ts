/** How many arrays and objects may stand in each other. What people and programs send needs fewer than ten. */
export const MOST_NESTED = 64;

/** JSON that is nested deeper than MOST_NESTED. */
export class NestedTooDeep extends SyntaxError {
  override name = "NestedTooDeep";
}

/**
 * The value of a JSON text from outside. Throws NestedTooDeep before anything is parsed: whatever walks the value after
 * that needs no bound of its own. SyntaxError for what is no JSON.
 */
export function parseJson(text: string): unknown {
  if (isNestedTooDeep(text)) throw new NestedTooDeep(`nested deeper than ${MOST_NESTED} levels`);
  return JSON.parse(text);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// `[` and `{`, as `]` and `}`, differ in this bit alone.
const CURLY = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** One pass that keeps nothing. What is no JSON may pass: the parser refuses it without going deep. */
function isNestedTooDeep(text: string): boolean {
  // As many levels need as many characters.
  if (text.length <= MOST_NESTED) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if ((unit | CURLY) === OPENING) {
      if (++depth > MOST_NESTED) return true;
    } else if ((unit | CURLY) === CLOSING) depth--;
  }
  return false;
}

/** Where the string that begins at `from` has its closing quote; -1 without one. */
function endOfString(text: string, from: number): number {
  let end = from;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return -1;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
