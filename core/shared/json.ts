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

const UNBOUNDED: JsonBounds = { maxNames: Infinity, maxValues: Infinity };

/**
 * Parses untrusted JSON. Throws NestingTooDeep or JsonTooLarge before parsing, so that code walking
 * the value needs no limits; SyntaxError for invalid JSON.
 */
export function parseJson(text: string, bounds: JsonBounds = UNBOUNDED): unknown {
  checkBounds(text, bounds);
  return JSON.parse(text);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
// Bit in which `[` and `{` differ, as do `]` and `}`.
const CURLY = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Checks bounds in one pass. Invalid JSON may pass, since the parser rejects it. */
function checkBounds(text: string, bounds: JsonBounds): void {
  // Shorter texts cannot nest deeper.
  if (text.length <= MAX_NESTING) return;
  const names = new Uint32Array(MAX_NESTING + 1);
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = findStringEnd(text, at);
      if (at === -1) return;
    } else if ((unit | CURLY) === OPENING) {
      if (++depth > MAX_NESTING) throw new NestingTooDeep(`nested deeper than ${MAX_NESTING} levels`);
      names[depth] = 0;
      values++;
    } else if ((unit | CURLY) === CLOSING) depth = Math.max(0, depth - 1);
    else if (unit === COMMA) values++;
    else if (unit === COLON) {
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
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
