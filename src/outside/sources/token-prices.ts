import { z } from "zod";
import { json } from "../../config/setting-fields.ts";
import type { Price } from "./provider.ts";

const TokenPrices = z.strictObject({
  input_per_million: z.number().min(0),
  output_per_million: z.number().min(0),
  per_search: z.number().min(0).default(0),
  as_of: z.iso.date().optional(),
});
export type TokenPrices = z.output<typeof TokenPrices>;

/** Newest last. Operators' prices take precedence. */
export type PriceLists = Readonly<Record<string, readonly [ListedPrices, ...ListedPrices[]]>>;
type ListedPrices = TokenPrices & { as_of: string };

export interface TokenUsage {
  input: number;
  output: number;
  searches: number;
}

export function tokenPricesSetting(model: string, lists: PriceLists = {}) {
  return json
    .pipe(TokenPrices)
    .optional()
    .describe(
      `Prices of ${model} in US dollars, as JSON: input_per_million and output_per_million tokens, per_search, and as_of (date of the price list). ${describeDefaultPrices(lists)}`,
    );
}

function describeDefaultPrices(lists: PriceLists): string {
  const models = Object.keys(lists);
  const unlisted = "costs are unknown unless the provider reports them";
  if (models.length === 0) return `Without them ${unlisted}.`;
  return `Default: the list prices of ${models.join(", ")}; for other models ${unlisted}.`;
}

/** Prices of the operator, else of the list for `day` (YYYY-MM-DD, default today). */
export function findPrices(
  model: string,
  {
    ownPrices,
    priceLists,
    day = getToday(),
  }: { ownPrices: TokenPrices | undefined; priceLists: PriceLists | undefined; day?: string },
): TokenPrices | undefined {
  const listed = priceLists?.[model];
  return ownPrices ?? listed?.findLast(({ as_of }) => as_of <= day) ?? listed?.[0];
}

function getToday(): string {
  return new Date().toISOString().slice(0, 10);
}

export function tokenCost(
  { input, output, searches }: TokenUsage,
  { input_per_million, output_per_million, per_search }: TokenPrices,
): number {
  return (input * input_per_million + output * output_per_million) / 1_000_000 + searches * per_search;
}

export function computePrice(
  prices: TokenPrices | undefined,
  { expectedUsage, maxUsage }: { expectedUsage: TokenUsage; maxUsage: TokenUsage },
): Price {
  if (!prices) return { expectedUsd: null, maxUsd: null };
  return { expectedUsd: tokenCost(expectedUsage, prices), maxUsd: tokenCost(maxUsage, prices) };
}

/** For APIs without a max output: the operator's `…_MOST_USD` is the max price. */
export function unboundedPrice(prices: TokenPrices | undefined, expected: TokenUsage): Price {
  return { expectedUsd: prices ? tokenCost(expected, prices) : null, maxUsd: null };
}
