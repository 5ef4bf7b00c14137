import { removeInvisible } from "../../core/shared/fields.ts";

export function toShownText(stored: string) {
  const text = removeInvisible(stored);
  // Characters removed before an offset shift it left.
  const shift = (offset: number) =>
    text.length === stored.length ? offset : removeInvisible(stored.slice(0, offset)).length;
  return { text, shift };
}
