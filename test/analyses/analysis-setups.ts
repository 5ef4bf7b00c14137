// Small setups of each kind with the expected prices and presentations.

/** A kind of analysis for the tests of prices, quotes and confirmations. */
export interface TestedKind {
  type: "search_analysis" | "brand_analysis";
  noun: string;
  /** The last part of its addresses. */
  path: string;
  /** The end of the names of its endpoints. */
  endpoint: string;
  /** Key of its unit in the price table. */
  price: "search_analysis_question" | "brand_analysis_prompts";
  /** A setup without name, brands, sources and runs. */
  own: object;
  /** Its questions, and its credits for one run at one source. */
  questions: number;
  credits: number;
  /**
   * Unit in a breakdown, and for two runs at one source the units, credits and, for grouped units,
   * questions.
   */
  unit: string;
  twoRuns: { quantity: number; credits: number; questions?: number };
  /** Presentation lines before and after the sources, besides name, sources and cost. */
  before: string[];
  after: string[];
  headline: string;
  needed: number;
}

const search: TestedKind = {
  type: "search_analysis",
  noun: "search analysis",
  path: "search-analyses",
  endpoint: "SearchAnalysis",
  price: "search_analysis_question",
  own: {
    website: "https://acme.test",
    thematics: [
      { name: "Phones", topics: [{ name: "Price", keywords: [{ text: "best phone" }, { text: "cheap phone" }] }] },
    ],
  },
  questions: 2,
  credits: 2,
  unit: "prompts x repeats, each run",
  twoRuns: { quantity: 4, credits: 4 },
  before: ["Own brand: Acme, https://acme.test", "Compared with: Bravo"],
  after: [
    "Country, language, device: US, en, desktop",
    "Each prompt is sent: 2 times per source and run",
    "Schedule: once",
    "Prompts: 2",
    "  Phones / Price:",
    "    best phone (Generic)",
    "    cheap phone (Generic)",
  ],
  headline: "generic prompts",
  needed: 586,
};

const brand: TestedKind = {
  type: "brand_analysis",
  noun: "brand analysis",
  path: "brand-analyses",
  endpoint: "BrandAnalysis",
  price: "brand_analysis_prompts",
  own: {
    category: "phones",
    countries: ["US", "DE"],
    prompts: [
      { kind: "unaided", text: "Which phone is best?" },
      { kind: "unaided", text: "Which phone is cheap?" },
    ],
  },
  questions: 4,
  credits: 2,
  unit: "started tens of prompts, per country and persona, x repeats, each run",
  twoRuns: { quantity: 4, credits: 4, questions: 8 },
  before: [
    "Own brand: Acme",
    "Category: phones",
    "Compared with: Bravo",
    "Attributes: none",
    "Countries, language: US, DE; en",
    "Asked as: no persona",
  ],
  after: [
    "Each prompt is sent: 2 times per country, persona, source and run",
    "Schedule: once",
    "Prompts: 2; each run collects 8 answers",
    "  Unaided, naming no brand:",
    "    Which phone is best?",
    "    Which phone is cheap?",
  ],
  headline: "unaided prompts",
  needed: 363,
};

export const TESTED_KINDS: readonly TestedKind[] = [search, brand];

/** The whole setup of a kind, for two runs. */
export function setupOf(kind: TestedKind, brands: { own: string; rival: string }) {
  return {
    name: "Phones",
    brand_id: brands.own,
    competitor_ids: [brands.rival],
    sources: ["ASSISTANT_B"],
    runs_per_prompt: 2,
    ...kind.own,
  };
}

/** Complete presentation of the setup if only its credits remain to be paid. */
export function presentationOf({ noun, before, after, headline, needed, credits }: TestedKind): string {
  const cost = 2 * credits;
  return [
    `Create the ${noun} "Phones"?`,
    "",
    ...before,
    "Sources: Perplexity (simulated: answers are invented)",
    ...after,
    "",
    `Cost: ${cost} credits (${cost} x 1 run).`,
    `With so few ${headline}, two runs show no change of presence. To detect 5 points, track ${needed} ${headline}; more repeats may not help.`,
    `Available: 10,000 credits; after this: ${(10_000 - cost).toLocaleString("en-US")}.`,
  ].join("\n");
}
