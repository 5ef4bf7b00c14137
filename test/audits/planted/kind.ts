import type { CheckOutcome } from "../../../core/audits/check.ts";
import type { PageType } from "../../../core/audits/page-type.ts";
import type { Draft } from "./draft.ts";
import type { Draw } from "./text.ts";

/** Outcomes by the id of the check. */
export type Finds = Readonly<Record<string, Exclude<CheckOutcome, "pass" | "skipped">>>;

type Change = (draft: Draft, draw: Draw) => void;

/** A kind of page fault, with a near miss. */
export interface Kind {
  id: string;
  /** Types of pages that it is planted on. */
  on: readonly PageType[];
  /** Changed parts; a page has at most one fault per part. `all` covers every part. */
  parts: readonly string[];
  finds: Finds;
  plant: Change;
  /** The near miss, which has no finding. */
  spare: Change;
  /** Fix, if removing the fault is not enough. */
  fix: Change;
  /** True if the near miss's page is skipped. */
  skips?: boolean;
}

export const ARTICLES: readonly PageType[] = ["article", "comparison"];
export const ANY: readonly PageType[] = ["article", "product", "comparison", "documentation", "category", "other"];

/** A kind with one part, on all page types by default. */
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
