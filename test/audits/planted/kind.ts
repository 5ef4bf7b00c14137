import type { CheckOutcome } from "../../../core/audits/check.ts";
import type { PageType } from "../../../core/audits/page-type.ts";
import type { Draft } from "./draft.ts";
import type { Draw } from "./text.ts";

/** Outcomes by the id of the check. */
export type Finds = Readonly<Record<string, Exclude<CheckOutcome, "pass" | "skipped">>>;

type Change = (draft: Draft, draw: Draw) => void;

/** A kind of fault of a page, and what is nearly one. */
export interface Kind {
  id: string;
  /** Types of pages that it is planted on. */
  on: readonly PageType[];
  /** Parts of the page that it changes: of two faults with one part in common a page has one. `all` has every part. */
  parts: readonly string[];
  finds: Finds;
  plant: Change;
  /** The near miss: nothing is found of it. */
  spare: Change;
  /** What the fault is fixed with, where it does not suffice to leave it out. */
  fix: Change;
  /** True where of the page of the near miss nothing can be said: it is skipped. */
  skips?: boolean;
}

export const ARTICLES: readonly PageType[] = ["article", "comparison"];
export const ANY: readonly PageType[] = ["article", "product", "comparison", "documentation", "category", "other"];

/** Of one part, on pages of any type unless said. */
export function kind(
  id: string,
  of: { on?: readonly PageType[]; parts: string; finds: Finds; skips?: true },
  [plant, spare, fix = () => undefined]: readonly [Change, Change, Change?],
): Kind {
  return { id, on: ANY, ...of, parts: of.parts.split(" "), plant, spare, fix };
}

export const setHeading = (draft: Draft, at: number, change: { level?: number; heading?: string; html?: string }) => {
  draft.sections = draft.sections.map((section, index) => (index === at ? { ...section, ...change } : section));
};
