import { MOST_KEPT } from "../parsed-page.ts";
import type { Close, Tag } from "./open-elements.ts";

/**
 * Gathers one kind of facts. Returned callbacks run when the element ends, in the order of the
 * gatherers.
 */
export interface Gatherer {
  open(tag: Tag): Close | undefined;
}

/** Bounds lists to MOST_KEPT entries and records dropped ones. */
export function boundedLists() {
  let isCut = false;
  return {
    keep: <Entry>(list: Entry[], entry: Entry) => {
      if (list.length < MOST_KEPT) list.push(entry);
      else isCut = true;
    },
    isCut: () => isCut,
  };
}
export type Keep = ReturnType<typeof boundedLists>["keep"];

/** Space-separated tokens of an attribute, in lower case. */
export const tokensOf = (value: string | undefined): string[] =>
  (value ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== "");
