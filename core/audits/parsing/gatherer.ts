import { MAX_LIST_ENTRIES } from "../parsed-page.ts";
import type { CloseCallback, Tag } from "./element-stack.ts";

/**
 * Gathers one kind of facts. Returned callbacks run when the element ends, in the order of the
 * gatherers.
 */
export interface Gatherer {
  onTagOpen(tag: Tag): CloseCallback | undefined;
}

/** Bounds lists to MAX_LIST_ENTRIES entries and records dropped ones. */
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

/** Space-separated tokens of an attribute, in lower case. */
export const parseTokens = (value: string | undefined): string[] =>
  (value ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== "");
