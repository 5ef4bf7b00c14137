import type { CheckOutcome } from "../../../core/audits/check.ts";
import type { PageType } from "../../../core/audits/page-type.ts";
import type { Draft } from "./draft.ts";
import type { Draw } from "./text.ts";

/** Outcomes by the id of the check. */
export type ExpectedOutcomes = Readonly<Record<string, Exclude<CheckOutcome, "pass" | "skipped">>>;

type Change = (draft: Draft, draw: Draw) => void;

/** A kind of page fault, with a near miss. */
export interface FaultKind {
  id: string;
  /** Types of pages that it is planted on. */
  on: readonly PageType[];
  /** Changed parts; a page has at most one fault per part. `all` covers every part. */
  parts: readonly string[];
  finds: ExpectedOutcomes;
  plant: Change;
  /** The near miss, which has no finding. */
  nearMiss: Change;
  /** Fix, if removing the fault is not enough. */
  fix: Change;
  /** True if the near miss's page is skipped. */
  skips?: boolean;
}

export const ARTICLES: readonly PageType[] = ["article", "comparison"];
export const ANY: readonly PageType[] = ["article", "product", "comparison", "documentation", "category", "other"];

/** A kind with one part, on all page types by default. */
export function createKind(
  id: string,
  of: { on?: readonly PageType[]; parts: string; finds: ExpectedOutcomes; skips?: true },
  [plant, nearMiss, fix = () => undefined]: readonly [Change, Change, Change?],
): FaultKind {
  return { id, on: ANY, ...of, parts: of.parts.split(" "), plant, nearMiss, fix };
}

export const setHeading = (draft: Draft, at: number, change: { level?: number; heading?: string; html?: string }) => {
  draft.sections = draft.sections.map((section, index) => (index === at ? { ...section, ...change } : section));
};
