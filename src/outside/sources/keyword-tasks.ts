import { isWanted, WANTED_FIGURES, type KeywordPrices, type PaidFor } from "../../../core/analyses/keyword-figures.ts";
import type { Price, Provider } from "./provider.ts";

export function tellerOfKeywords(providers: readonly Provider[]): Provider | undefined {
  return providers.find(({ keywords }) => keywords !== undefined);
}

export function keywordPricesOf(teller: Provider | undefined): KeywordPrices {
  return WANTED_FIGURES.flatMap((wanted) => {
    const mostKeywords = teller?.keywords?.most[wanted];
    if (teller === undefined || mostKeywords === undefined) return [];
    return [{ wanted, mostKeywords, usdPerTask: priceOf(teller, wanted).expectedUsd }];
  });
}

export function priceOf(provider: Provider, paidFor: PaidFor): Price {
  if (!isWanted(paidFor)) return provider.price(paidFor);
  return provider.keywords?.price(paidFor) ?? { expectedUsd: null, mostUsd: null };
}
