import { z } from "zod";
import { json } from "../../config/setting-fields.ts";
import type { Price } from "./provider.ts";

/** US dollars that a model costs. */
const TokenPrices = z.strictObject({
  input_per_million: z.number().min(0),
  output_per_million: z.number().min(0),
  /** For one web search that the model makes. */
  per_search: z.number().min(0).default(0),
  /** The day of the price list that these are from, and from which on they hold. */
  as_of: z.iso.date().optional(),
});
export type TokenPrices = z.output<typeof TokenPrices>;

/** What models cost by their maker's price lists, the newest last. Prices change, so each list has its day, and an operator's own go first. */
export type PriceLists = Readonly<Record<string, readonly [Listed, ...Listed[]]>>;
type Listed = TokenPrices & { as_of: string };

/** What one answer uses. */
export interface Use {
  input: number;
  output: number;
  searches: number;
}

/** The setting that holds the prices of `model`, which is the name of another setting. `lists` has those that are known without it. */
export function tokenPrices(model: string, lists: PriceLists = {}) {
  return json
    .pipe(TokenPrices)
    .optional()
    .describe(
      `Prices of ${model} in US dollars, as JSON: input_per_million and output_per_million tokens, per_search, and as_of, the day of the price list. ${without(lists)}`,
    );
}

function without(lists: PriceLists): string {
  const models = Object.keys(lists);
  const unlisted = "costs are unknown where the provider does not say them";
  if (models.length === 0) return `Without them ${unlisted}.`;
  return `Default: the list prices of ${models.join(", ")}; for other models ${unlisted}.`;
}

/** The prices of `model` on a day (YYYY-MM-DD; today): the operator's own, else those of a list; undefined where there are none. */
export function pricesOf(
  model: string,
  { own, lists, day = today() }: { own: TokenPrices | undefined; lists: PriceLists | undefined; day?: string },
): TokenPrices | undefined {
  const listed = lists?.[model];
  return own ?? listed?.findLast(({ as_of }) => as_of <= day) ?? listed?.[0];
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** US dollars of one answer. */
export function tokenCost(
  { input, output, searches }: Use,
  { input_per_million, output_per_million, per_search }: TokenPrices,
): number {
  return (input * input_per_million + output * output_per_million) / 1_000_000 + searches * per_search;
}

/** What an answer is expected to cost and the most that it can, of what it uses. */
export function priceOf(prices: TokenPrices | undefined, { expected, most }: { expected: Use; most: Use }): Price {
  if (!prices) return { expectedUsd: null, mostUsd: null };
  return { expectedUsd: tokenCost(expected, prices), mostUsd: tokenCost(most, prices) };
}

/** What a question is expected to cost where nothing bounds its answer: the most is what the operator says (`…_MOST_USD`). */
export function unboundedPrice(prices: TokenPrices | undefined, expected: Use): Price {
  return { expectedUsd: prices ? tokenCost(expected, prices) : null, mostUsd: null };
}
