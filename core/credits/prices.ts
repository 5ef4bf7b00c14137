/** Credits per unit of work. Configuration can replace any of them (service.md section 4). */
export const BUILT_IN_PRICES = {
  /** Ten prompts or fewer, one country and persona, one source, one run. */
  brand_analysis_prompts: 1,
  /** One keyword, one source, one run. */
  search_analysis_question: 1,
  /** One page of a GEO audit. */
  geo_audit_page: 1,
  /** One asset of an evaluation. */
  asset_evaluation_text: 1,
  asset_evaluation_image: 1,
  asset_evaluation_video: 3,
} as const;

export type PriceTable = Record<keyof typeof BUILT_IN_PRICES, number>;

/** The built-in prices with those of the configuration in their place. Throws for a name that does not exist. */
export function priceTable(overrides: Record<string, number>): PriceTable {
  for (const name of Object.keys(overrides)) {
    if (!Object.hasOwn(BUILT_IN_PRICES, name)) {
      throw new Error(`CREDIT_PRICES names ${name}; known prices are ${Object.keys(BUILT_IN_PRICES).join(", ")}.`);
    }
  }
  return { ...BUILT_IN_PRICES, ...overrides };
}
