/** Credits per unit of work; configuration can override them (service.md section 4). */
export const BUILT_IN_PRICES = {
  /** Up to ten prompts in one country and persona, one source, one run. */
  brand_analysis_prompts: 1,
  /** One keyword at one source in one run. */
  search_analysis_question: 1,
  geo_audit_page: 1,
  asset_evaluation_text: 1,
  asset_evaluation_image: 1,
  asset_evaluation_video: 3,
} as const;

export type PriceTable = Record<keyof typeof BUILT_IN_PRICES, number>;

/** Built-in prices with overrides. Throws for an unknown name. */
export function createPriceTable(overrides: Record<string, number>): PriceTable {
  for (const name of Object.keys(overrides)) {
    if (!Object.hasOwn(BUILT_IN_PRICES, name)) {
      throw new Error(`CREDIT_PRICES names ${name}; known prices are ${Object.keys(BUILT_IN_PRICES).join(", ")}.`);
    }
  }
  return { ...BUILT_IN_PRICES, ...overrides };
}
