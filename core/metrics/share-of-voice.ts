import type { Moments } from "../statistics/interval.ts";
import type { BrandSums, Sums } from "./metrics.ts";
import { toMask } from "./packed-columns.ts";

// Share of voice: denominator, summation, and when it is undefined. A change of the definition
// raises SUMS_VERSION (metrics.ts).

/** Shared by pages, tools and columns. */
export const SHARE_OF_VOICE = {
  words: "weight of the brand / weight of all tracked brands",
  formula: "Σ w of the brand / Σ w of all tracked brands without sub-brands; null with a single brand",
};

export interface Families {
  /** Has 1 at the number of each brand in the denominator. */
  marks: Uint8Array;
  count: number;
}

/** Catalog brands without a parent. */
export function selectFamilies(brands: readonly { number: number; parentId: string | null }[]): Families {
  return createFamilies(brands.filter(({ parentId }) => parentId === null).map(({ number }) => number));
}

export function createFamilies(numbers: readonly number[]): Families {
  return { marks: toMask(numbers), count: numbers.length };
}

/** The value of brand b is `values[b * width + at]`. */
interface BrandWeights {
  brands: ArrayLike<number>;
  count: number;
  values: ArrayLike<number>;
  width: number;
  at: number;
}

/** Denominator of a share. */
export function sumTrackedWeight({ marks }: Families, { brands, count, values, width, at }: BrandWeights): number {
  let voice = 0;
  for (let index = 0; index < count; index += 1) {
    const brand = brands[index] ?? 0;
    if (marks[brand] === 1) voice += values[brand * width + at] ?? 0;
  }
  return voice;
}

/** 0 to 1; null without another brand or without any weight. */
export function computeShareOfVoice(own: BrandSums | undefined, { voice }: Sums, { count }: Families): number | null {
  return count < 2 || voice === 0 ? null : (own?.weight_sum ?? 0) / voice;
}

/** n_i is the denominator of prompt i (measurement.md, section 6). */
export function shareOfVoiceMoments({ keywords: promptCount, voice, vv }: Sums, own: BrandSums): Moments {
  const { weight_sum: x, ww: xx, wv: xn, nb_keywords: withValue, only_keywords } = own;
  return { promptCount, n: voice, x, xx, xn, nn: vv, withValue, withoutFull: promptCount - only_keywords };
}
