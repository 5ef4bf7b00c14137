import {
  isKeywordDataKind,
  KEYWORD_DATA_KINDS,
  type KeywordDataPrices,
  type PaidItem,
} from "../../../core/analyses/keyword-data.ts";
import type { Price, Provider } from "./provider.ts";

export function findKeywordProvider(providers: readonly Provider[]): Provider | undefined {
  return providers.find(({ keywords }) => keywords !== undefined);
}

export function keywordDataPricesOfProvider(teller: Provider | undefined): KeywordDataPrices {
  return KEYWORD_DATA_KINDS.flatMap((wanted) => {
    const maxKeywords = teller?.keywords?.maxKeywords[wanted];
    if (teller === undefined || maxKeywords === undefined) return [];
    return [{ wanted, maxKeywords, usdPerTask: getPrice(teller, wanted).expectedUsd }];
  });
}

export function getPrice(provider: Provider, paidFor: PaidItem): Price {
  if (!isKeywordDataKind(paidFor)) return provider.price(paidFor);
  return provider.keywords?.price(paidFor) ?? { expectedUsd: null, maxUsd: null };
}
