import { MAX_LIST_ENTRIES } from "../parsed-page.ts";
import type { CloseCallback, Tag } from "./element-stack.ts";

/** Callbacks run when the element ends, in the order of the gatherers. */
export interface Gatherer {
  onTagOpen(tag: Tag): CloseCallback | undefined;
}

export function createBoundedLists() {
  let isCut = false;
  return {
    keep: <Entry>(list: Entry[], entry: Entry) => {
      if (list.length < MAX_LIST_ENTRIES) list.push(entry);
      else isCut = true;
    },
    isCut: () => isCut,
  };
}
export type AppendBounded = ReturnType<typeof createBoundedLists>["keep"];

/** Tokens are separated by spaces, and returned in lower case. */
export const parseTokens = (value: string | undefined): string[] =>
  (value ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== "");
