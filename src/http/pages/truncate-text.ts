import { removeInvisible } from "../../../core/shared/fields.ts";

/** Cuts a text to `most` visible characters. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(removeInvisible(text.slice(0, 4 * most)));
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}
