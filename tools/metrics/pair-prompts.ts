import { foldText } from "../../core/reading/aliases/text-folding.ts";
import type { KindQuestion } from "../../db/measuring/awareness-facts.ts";
import type { BrandName } from "../../db/measuring/projects.ts";
import type { Prompts } from "./prompt-groups.ts";

/** Places of prompts that say something of a pair. */
interface PairPrompts {
  /** Those that name both, or neither: who is asked about alone is preferred too often. */
  fair: number[];
  /** Comparison prompts of the two that name the own brand first, or second. */
  first: number[];
  second: number[];
}

/** The prompts of each rival, each found once. One that names a brand by another name than the catalog's has no order. */
export function pairPrompts(prompts: Prompts, own: BrandName): (rival: BrandName) => PairPrompts {
  const known = new Map<string, PairPrompts>();
  const where = (isAmong: (one: KindQuestion) => boolean) =>
    prompts.first.flatMap((one, at) => (isAmong(one) ? [at] : []));
  const find = (rival: BrandName): PairPrompts => {
    const isTheirs = (one: KindQuestion) => one.promptKind === "comparison" && one.otherBrandId === rival.id;
    const ordered = (isIn: (ownAt: number, rivalAt: number) => boolean) =>
      where((one) => {
        if (!isTheirs(one)) return false;
        const [ownAt, rivalAt] = [placeOf(own.name, one), placeOf(rival.name, one)];
        return ownAt !== -1 && rivalAt !== -1 && isIn(ownAt, rivalAt);
      });
    return {
      fair: where((one) => {
        if (one.promptKind === "comparison") return isTheirs(one);
        return one.askedBrandId !== own.id && one.askedBrandId !== rival.id;
      }),
      first: ordered((ownAt, rivalAt) => ownAt < rivalAt),
      second: ordered((ownAt, rivalAt) => ownAt > rivalAt),
    };
  };
  return (rival) => {
    const found = known.get(rival.id) ?? find(rival);
    known.set(rival.id, found);
    return found;
  };
}

function placeOf(name: string, { text }: KindQuestion): number {
  return foldText(text).lower.indexOf(foldText(name).lower);
}
