import { z } from "zod";
import { invalidInput } from "../../../core/shared/errors.ts";
import { judgeGaps, type UnjudgedGap } from "../../../core/metrics/brand-gaps.ts";
import type { BrandNumberPair } from "../../../core/metrics/facts/preferences.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import { nameOrId } from "../../name-or-id.ts";
import type { OpenedPrompts, Opinions } from "../selection/open-prompts.ts";
import type { pairPrompts } from "../selection/pair-prompts.ts";
import { PROMPT_DIMENSIONS, type PromptGroup } from "../selection/prompt-groups.ts";
import { brandMetricsQuery } from "../selection/prompt-selection.ts";
import type { AspectName } from "./compared-aspects.ts";
import type { ScoredShare } from "./scored-parts.ts";

export const ComparisonsInput = z.strictObject({
  ...brandMetricsQuery,
  group_by: z
    .array(z.enum(["aspect", "brand", ...PROMPT_DIMENSIONS]))
    .max(2)
    .default([])
    .describe("Up to two, in addition to the rival. brand: every pair."),
  brands: z.array(nameOrId("brand")).max(100).optional().describe("Rivals; with versus, brands to compare with it."),
  versus: nameOrId("brand").optional().describe("Only this rival; tests the gap of `brands`, or yours, to it."),
  aspect: z.string().trim().min(1).max(100).optional().describe("Only this aspect, such as price."),
});
export type ComparisonsInput = z.output<typeof ComparisonsInput>;

export interface ComparisonPart {
  group: PromptGroup;
  brand: BrandName;
  rival: BrandName;
  pair: BrandNumberPair;
  /** Null for comparisons without an aspect, undefined for all. */
  aspect: string | null | undefined;
  isShown: boolean;
}

export interface ComparisonContext {
  input: ComparisonsInput;
  opened: OpenedPrompts;
  opinions: readonly Opinions[];
  own: BrandName;
  attributes: readonly string[];
  nameOf: AspectName;
  promptsOf: ReturnType<typeof pairPrompts>;
}

/** Grouped by brand, every pair occurs once and is shown if a requested brand is in it. */
export function listPairs({
  input,
  opened,
  own,
}: ComparisonContext): Pick<ComparisonPart, "brand" | "rival" | "isShown">[] {
  if (input.versus !== undefined) return listPairsWith(input.versus, { input, opened, own });
  const rivals = opened.shown.filter(({ brand }) => brand.id !== own.id);
  const ofOwn = rivals.map(({ brand: rival, isShown }) => ({ brand: own, rival, isShown }));
  if (!input.group_by.includes("brand")) return ofOwn;
  const isOwnShown = opened.shown.some(({ brand, isShown }) => brand.id === own.id && isShown);
  const ofRivals = rivals.flatMap((one, at) =>
    rivals.slice(at + 1).map((other) => {
      return { brand: one.brand, rival: other.brand, isShown: one.isShown || other.isShown };
    }),
  );
  return [...ofOwn.map((pair) => ({ ...pair, isShown: pair.isShown || isOwnShown })), ...ofRivals];
}

/** Every compared brand with `versus`; shows the requested brands, by default the own brand. */
function listPairsWith(versus: string, { input, opened, own }: Pick<ComparisonContext, "input" | "opened" | "own">) {
  const rival = opened.brands.find(({ id }) => id === versus);
  if (!rival) throw invalidInput([{ path: "versus", message: "must be a brand of the catalog, from list_brands" }]);
  const named = input.brands ?? [];
  const isShown = (id: string) => (named.length > 0 ? named.includes(id) : id === own.id || versus === own.id);
  return opened.shown.flatMap(({ brand }) =>
    brand.id === versus ? [] : [{ brand, rival, isShown: isShown(brand.id) }],
  );
}

/** Gaps between the shares of answers that prefer each of a pair, judged over all pairs. */
export function judgePairGaps(
  parts: readonly ComparisonPart[],
  figures: readonly { preferred?: ScoredShare | undefined }[],
  { input, opened, own }: ComparisonContext,
) {
  const gaps = parts.map(({ rival }, at): UnjudgedGap | undefined => {
    const { gap: moments, n = 0, promptCount: prompts = 0, share = null } = figures[at]?.preferred ?? {};
    return moments && { versus: rival.name, versus_value: share === null ? null : 1 - share, n, prompts, moments };
  });
  const isWhole = opened.isWhole && !input.group_by.includes("aspect");
  return judgeGaps(gaps, (index) => isWhole && parts[index]?.brand.id === own.id);
}
