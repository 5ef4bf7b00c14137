import { MOST_KEPT } from "../parsed-page.ts";
import type { Close, Tag } from "./open-elements.ts";

/** Gathers one kind of facts. What it returns is done when the element ends; gatherers take turns in the same order then. */
export interface Gatherer {
  open(tag: Tag): Close | undefined;
}

/** Lists that keep MOST_KEPT entries each, and whether one had more. */
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

/** Tokens of an attribute that white space parts, in lower case. */
export const tokensOf = (value: string | undefined): string[] =>
  (value ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== "");
