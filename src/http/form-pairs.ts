import { count } from "../../core/shared/counts.ts";
import { AppError } from "../../core/shared/errors.ts";
import { MAX_FORM_PAIRS } from "../../core/shared/request-bounds.ts";

/** VALIDATION_FAILED for too many pairs, before any decoding. */
export function formPairs(text: string): URLSearchParams {
  if (hasTooManyPairs(text)) throw tooManyPairs();
  return new URLSearchParams(text);
}

export function hasTooManyPairs(text: string): boolean {
  // N pairs need at least N characters.
  if (text.length < MAX_FORM_PAIRS) return false;
  let pairs = 1;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    if (++pairs > MAX_FORM_PAIRS) return true;
  }
  return false;
}

export function tooManyPairs(): AppError {
  return new AppError("VALIDATION_FAILED", `A form or query string can have at most ${count(MAX_FORM_PAIRS)} fields.`);
}

/** Express's query parser is off, because REST parses queries by schema. */
export function queryOf(url = ""): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}
