import {
  isWanted,
  WANTED_FIGURES,
  type KeywordFigures,
  type KeywordPrices,
  type PaidFor,
  type WantedFigures,
} from "../../../core/keyword-figures.ts";
import type { Price, Provider, Tasks } from "./provider.ts";
import { tasksIn } from "./ways.ts";

/** Keywords that a provider is asked about together, in the form in which it takes them. */
export interface KeywordBatch {
  wanted: WantedFigures;
  keywords: readonly string[];
  country: string;
  language: string;
}

/** What a provider told of the keywords of a batch. */
export interface KeywordAnswer {
  /** By keyword, as it was asked; of one that is not there nothing is known. */
  figures: ReadonlyMap<string, Partial<KeywordFigures>>;
  rawBody: string;
  /** US dollars. */
  costUsd: number | null;
}

/** How a provider is asked how people search for keywords: by tasks, which it bills once it has taken them. */
export interface KeywordTasks<Context> extends Tasks<Context, KeywordAnswer, KeywordBatch> {
  /** How many keywords one task takes, by what is wanted; what is not there is not asked for. */
  most: Readonly<Partial<Record<WantedFigures, number>>>;
  /** The keyword as it is asked; undefined for one that it cannot be asked about. */
  formOf: (wanted: WantedFigures, keyword: string) => string | undefined;
  /** What one task costs, however many keywords it has. */
  price: (wanted: WantedFigures) => Price;
}

/** The same in another context. */
export function keywordsIn<Inner, Outer>(
  keywords: KeywordTasks<Inner>,
  contextOf: (outer: Outer) => Inner,
): KeywordTasks<Outer> {
  return { ...keywords, ...tasksIn(keywords, contextOf, (answer) => answer) };
}

/** Who of the configured providers is asked how people search for keywords. */
export function tellerOfKeywords(providers: readonly Provider[]): Provider | undefined {
  return providers.find(({ keywords }) => keywords !== undefined);
}

/** What is asked of keywords in this process, and what that costs. */
export function keywordPricesOf(teller: Provider | undefined): KeywordPrices {
  return WANTED_FIGURES.flatMap((wanted) => {
    const mostKeywords = teller?.keywords?.most[wanted];
    if (teller === undefined || mostKeywords === undefined) return [];
    return [{ wanted, mostKeywords, usdPerTask: priceOf(teller, wanted).expectedUsd }];
  });
}

/** What an answer of a source costs, or a task about keywords. */
export function priceOf(provider: Provider, paidFor: PaidFor): Price {
  if (!isWanted(paidFor)) return provider.price(paidFor);
  return provider.keywords?.price(paidFor) ?? { expectedUsd: null, mostUsd: null };
}
