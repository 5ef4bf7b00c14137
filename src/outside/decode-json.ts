import { parseJson } from "../../core/shared/json.ts";
/** `text` as JSON; undefined where it is none. */
export function decodeJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
