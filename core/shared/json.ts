import { formatInteger } from "./format-count.ts";

/** Max nesting of arrays and objects; usual input needs fewer than ten levels. */
export const MAX_NESTING = 64;

export class NestingTooDeep extends SyntaxError {
  override name = "NestingTooDeep";
}

/** JSON above its bounds; the message names the bound. */
export class JsonTooLarge extends SyntaxError {
  override name = "JsonTooLarge";
}

/** Max names per object, and max values in total. */
export interface JsonBounds {
  maxNames: number;
  maxValues: number;
}

const UNLIMITED_JSON_BOUNDS: JsonBounds = { maxNames: Infinity, maxValues: Infinity };

/**
 * Parses untrusted JSON. Throws NestingTooDeep or JsonTooLarge before parsing, so that code walking
 * the value needs no limits; SyntaxError for invalid JSON.
 */
export function parseJson(text: string, bounds: JsonBounds = UNLIMITED_JSON_BOUNDS): unknown {
  checkBounds(text, bounds);
  return JSON.parse(text);
}

const QUOTE_CODE = 0x22;
const COMMA_CODE = 0x2c;
const COLON_CODE = 0x3a;
const BACKSLASH_CODE = 0x5c;
// Bit in which `[` and `{` differ, as do `]` and `}`.
const CURLY_BRACKET_BIT = 0x20;
const OPENING_BRACE_CODE = 0x7b;
const CLOSING_BRACE_CODE = 0x7d;

/** Checks bounds in one pass. Invalid JSON may pass, since the parser rejects it. */
function checkBounds(text: string, bounds: JsonBounds): void {
  // Shorter texts cannot nest deeper.
  if (text.length <= MAX_NESTING) return;
  const names = new Uint32Array(MAX_NESTING + 1);
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE_CODE) {
      at = findStringEnd(text, at);
      if (at === -1) return;
    } else if ((unit | CURLY_BRACKET_BIT) === OPENING_BRACE_CODE) {
      if (++depth > MAX_NESTING) throw new NestingTooDeep(`nested deeper than ${MAX_NESTING} levels`);
      names[depth] = 0;
      values++;
    } else if ((unit | CURLY_BRACKET_BIT) === CLOSING_BRACE_CODE) depth = Math.max(0, depth - 1);
    else if (unit === COMMA_CODE) values++;
    else if (unit === COLON_CODE) {
      const named = (names[depth] ?? 0) + 1;
      if (named > bounds.maxNames)
        throw new JsonTooLarge(`A JSON object can have at most ${formatInteger(bounds.maxNames)} names.`);
      names[depth] = named;
    }
    if (values > bounds.maxValues)
      throw new JsonTooLarge(`A JSON body can have at most ${formatInteger(bounds.maxValues)} values.`);
  }
}

/** Offset of the closing quote of the string at `from`; -1 without one. */
function findStringEnd(text: string, from: number): number {
  let end = from;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return -1;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH_CODE) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
