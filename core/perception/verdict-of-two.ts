import type { PromptContext } from "../prompts/brand-prompt.ts";
import type { BrandPreference, MentionStance } from "../reading/capture.ts";
import type { Passage } from "./passages.ts";

const MAX_READ_LENGTH = 600;
/** Calls two brands equal as a whole; "close in price" compares an aspect. */
const DRAW_PATTERN =
  /\b(?:both|they|the two)(?: brands)? are (?:(?!(?:not|hardly|rarely|never)\b)\p{L}+ )?(?:close(?! (?:to|in|on|at|competitors|rivals)\b)|equally good|evenly matched|on par|neck and neck)|\b(?:too close to call|a toss-?up|no clear winner|can(?:no|['’])t go wrong with either)\b|\bbeide (?:sind|liegen) (?:(?!(?:nicht|kaum)\b)\p{L}+ )?(?:gleich ?auf|gleichwertig|gleich gut|ebenbürtig)|\bkein(?:en)? klare[rn]? Sieger\b|\bles deux se valent\b|\b(?:ambos|los dos) están igualados\b|甲乙つけがた|互角/iu;

/** Adds the pick or the draw of an answer to a prompt that compares two brands. */
export function addVerdictOfTwo(
  text: string,
  found: readonly BrandPreference[],
  of: { passages: readonly Passage[]; stances: readonly MentionStance[]; asked: PromptContext | undefined },
): BrandPreference[] {
  const { brandId: brand, otherBrandId: other, kind } = of.asked ?? {};
  if (kind !== "comparison" || !brand || !other) return [...found];
  const picks = of.stances.filter(({ stance, brandId: id }) => stance === "winner" && (id === brand || id === other));
  const better = picks[0]?.brandId;
  const isPreferred = (one: BrandPreference, id: string) =>
    one.aspect === null && one.better === id && one.worse === (id === brand ? other : brand);
  if (better !== undefined && picks.every(({ brandId }) => brandId === better)) {
    const worse = better === brand ? other : brand;
    // A pick overrules a statement for the other brand without an aspect.
    const rest = found.filter((one) => !isPreferred(one, worse));
    const passage = of.passages.find(({ start, end }) => picks.some((pick) => start <= pick.start && pick.start < end));
    if (!passage || rest.some((one) => isPreferred(one, better))) return rest;
    return [...rest, { better, worse, aspect: null, start: passage.start, end: passage.end }];
  }
  if (found.some((one) => isPreferred(one, brand) || isPreferred(one, other))) return [...found];
  const draw = of.passages.findLast(({ start, end }) =>
    DRAW_PATTERN.test(text.slice(start, Math.min(end, start + MAX_READ_LENGTH))),
  );
  if (!draw) return [...found];
  return [...found, { better: brand, worse: other, aspect: null, isDraw: true, start: draw.start, end: draw.end }];
}
