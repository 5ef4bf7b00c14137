import { foldText } from "../../../core/reading/aliases/text-folding.ts";
import type { KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { Prompts } from "./prompt-groups.ts";

interface PairPrompts {
  /** Prompts that name both brands or neither. Prompts about one brand alone favour it. */
  shared: number[];
  /** Comparison prompts of the pair. */
  compared: number[];
  brandFirstPromptIndexes: number[];
  rivalFirstPromptIndexes: number[];
}

/** A prompt has no order if it names a brand by a name outside the catalog. */
export function pairPrompts(prompts: Prompts, own: BrandName): (brand: BrandName, rival: BrandName) => PairPrompts {
  const cache = new Map<string, PairPrompts>();
  const where = (isAmong: (one: KindQuestion) => boolean) =>
    prompts.firstQuestions.flatMap((one, at) => (isAmong(one) ? [at] : []));
  const isNamed = ({ id }: BrandName, { promptKind, askedBrandId, otherBrandId }: KindQuestion) =>
    promptKind === "comparison" ? id === own.id || id === otherBrandId : id === askedBrandId;
  const find = (brand: BrandName, rival: BrandName): PairPrompts => {
    const isCompared = (one: KindQuestion) =>
      one.promptKind === "comparison" && isNamed(brand, one) && isNamed(rival, one);
    const ordered = (isIn: (brandAt: number, rivalAt: number) => boolean) =>
      where((one) => {
        if (!isCompared(one)) return false;
        const [brandAt, rivalAt] = [findNameIndex(brand.name, one), findNameIndex(rival.name, one)];
        return brandAt !== -1 && rivalAt !== -1 && isIn(brandAt, rivalAt);
      });
    return {
      shared: where((one) => isNamed(brand, one) === isNamed(rival, one)),
      compared: where(isCompared),
      brandFirstPromptIndexes: ordered((brandAt, rivalAt) => brandAt < rivalAt),
      rivalFirstPromptIndexes: ordered((brandAt, rivalAt) => brandAt > rivalAt),
    };
  };
  return (brand, rival) => {
    const key = `${brand.id} ${rival.id}`;
    const found = cache.get(key) ?? find(brand, rival);
    cache.set(key, found);
    return found;
  };
}

function findNameIndex(name: string, { text }: KindQuestion): number {
  return foldText(text).lower.indexOf(foldText(name).lower);
}
