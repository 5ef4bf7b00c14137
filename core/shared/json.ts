import { count } from "./counts.ts";

/** How many arrays and objects may stand in each other. What people and programs send needs fewer than ten. */
export const MOST_NESTED = 64;

/** JSON that is nested deeper than MOST_NESTED. */
export class NestedTooDeep extends SyntaxError {
  override name = "NestedTooDeep";
}

/** JSON that is larger than its bounds; the message says which. */
export class JsonTooLarge extends SyntaxError {
  override name = "JsonTooLarge";
}

/** Limits of a JSON text besides its depth: names of one object, and values in all. */
export interface JsonBounds {
  names: number;
  values: number;
}

const UNBOUNDED: JsonBounds = { names: Infinity, values: Infinity };

/**
 * The value of a JSON text from outside. Throws NestedTooDeep or JsonTooLarge before anything is parsed: code that walks the value
 * needs no bound of its own. SyntaxError for invalid JSON.
 */
export function parseJson(text: string, bounds: JsonBounds = UNBOUNDED): unknown {
  checkBounds(text, bounds);
  return JSON.parse(text);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
// `[` and `{`, as `]` and `}`, differ in this bit alone.
const CURLY = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** One pass over the text. Invalid JSON may pass: the parser rejects it without going deep. */
function checkBounds(text: string, bounds: JsonBounds): void {
  // As many levels need as many characters.
  if (text.length <= MOST_NESTED) return;
  const names = new Uint32Array(MOST_NESTED + 1);
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (at === -1) return;
    } else if ((unit | CURLY) === OPENING) {
      if (++depth > MOST_NESTED) throw new NestedTooDeep(`nested deeper than ${MOST_NESTED} levels`);
      names[depth] = 0;
      values++;
    } else if ((unit | CURLY) === CLOSING) depth = Math.max(0, depth - 1);
    else if (unit === COMMA) values++;
    else if (unit === COLON) {
      const named = (names[depth] ?? 0) + 1;
      if (named > bounds.names) throw new JsonTooLarge(`A JSON object can have at most ${count(bounds.names)} names.`);
      names[depth] = named;
    }
    if (values > bounds.values) throw new JsonTooLarge(`A JSON body can have at most ${count(bounds.values)} values.`);
  }
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
