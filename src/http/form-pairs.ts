import { count } from "../../core/shared/counts.ts";
import { AppError } from "../../core/shared/errors.ts";
import { MAX_FORM_PAIRS } from "../../core/shared/request-bounds.ts";

/** The pairs of an urlencoded body. VALIDATION_FAILED, before anything is decoded, if there are too many. */
export function formPairs(text: string): URLSearchParams {
  if (hasTooManyPairs(text)) throw tooManyPairs();
  return new URLSearchParams(text);
}

/** True for urlencoded text with more pairs than a request can have. */
export function hasTooManyPairs(text: string): boolean {
  // As many pairs need as many separators.
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

/** The query of a URL. Express's own parser is off, because REST reads queries by their schema. */
export function queryOf(url = ""): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}
