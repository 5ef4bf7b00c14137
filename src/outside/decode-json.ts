import { parseJson } from "../../core/shared/json.ts";
export function decodeJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
