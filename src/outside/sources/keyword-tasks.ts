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

export function getKeywordDataPrices(teller: Provider | undefined): KeywordDataPrices {
  return KEYWORD_DATA_KINDS.flatMap((dataKind) => {
    const maxKeywords = teller?.keywords?.maxKeywords[dataKind];
    if (teller === undefined || maxKeywords === undefined) return [];
    return [{ dataKind, maxKeywords, usdPerTask: getPrice(teller, dataKind).expectedUsd }];
  });
}

export function getPrice(provider: Provider, paidFor: PaidItem): Price {
  if (!isKeywordDataKind(paidFor)) return provider.price(paidFor);
  return provider.keywords?.price(paidFor) ?? { expectedUsd: null, maxUsd: null };
}
