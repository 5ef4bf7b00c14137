import { withoutInvisible } from "../../core/shared/fields.ts";

/** The text of an answer as it is shown, and where what stands at an offset of the stored text stands in it. */
export function shownText(stored: string) {
  const text = withoutInvisible(stored);
  // What is left out of the text before an offset moves it.
  const shift = (offset: number) =>
    text.length === stored.length ? offset : withoutInvisible(stored.slice(0, offset)).length;
  return { text, shift };
}
