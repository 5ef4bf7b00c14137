import { z } from "zod";
import { json } from "../../setting-fields.ts";

/** US dollars that a model costs. Prices change, so they are configured and never built in. */
const TokenPrices = z.strictObject({
  input_per_million: z.number().min(0),
  output_per_million: z.number().min(0),
  /** For one web search that the model makes. */
  per_search: z.number().min(0).default(0),
  /** The day of the price list that these are from. */
  as_of: z.iso.date().optional(),
});
export type TokenPrices = z.output<typeof TokenPrices>;

/** The setting that holds the prices of `model`, which is the name of another setting. */
export function tokenPrices(model: string) {
  return json
    .pipe(TokenPrices)
    .optional()
    .describe(
      `Prices of ${model} in US dollars, as JSON: input_per_million and output_per_million tokens, per_search, and as_of, the day of the price list. Without them costs are unknown where the provider does not say them.`,
    );
}

/** US dollars of one answer. */
export function tokenCost(
  used: { input: number; output: number; searches: number },
  { input_per_million, output_per_million, per_search }: TokenPrices,
): number {
  return (used.input * input_per_million + used.output * output_per_million) / 1_000_000 + used.searches * per_search;
}
