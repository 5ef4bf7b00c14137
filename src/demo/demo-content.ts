import type { FactValue } from "../../core/claims/fact.ts";
import type { FunnelStage, KeywordType } from "../../core/sources.ts";

// What the demo organization holds. Brands, people and sites are invented.

export const OWN = "Kestrova";
export const RIVALS = ["Brindlecup", "Aurelpress", "Tavolino", "Nordkaffa", "Piccolux", "Steamwell"];

interface AskedQuestion {
  text: string;
  type?: KeywordType;
  funnel_stage: FunnelStage;
  search_volume: number;
}

/** A rival that the catalog gets between two collects. */
export const NEWCOMER = { name: "Orbarista", beforeCollect: 4 };

/** Collects of the demo, a week apart. */
export const COLLECTS = 6;

/** What people ask, by thematic and topic; the demo world knows these topics. */
export const QUESTIONS: Record<string, Record<string, AskedQuestion[]>> = {
  Home: {
    "First machine": [
      { text: "best espresso machine for beginners", funnel_stage: "ToFu", search_volume: 8100 },
      { text: "which espresso machine should I buy first", funnel_stage: "MoFu", search_volume: 1900 },
      { text: "best espresso machine under 500 dollars", funnel_stage: "BoFu", search_volume: 5400 },
      { text: "how to choose an espresso machine", funnel_stage: "ToFu", search_volume: 2400 },
      { text: "espresso machine that is easy to clean", funnel_stage: "MoFu", search_volume: 1000 },
    ],
    "Small kitchens": [
      { text: "best compact espresso machine", funnel_stage: "MoFu", search_volume: 3600 },
      { text: "quiet espresso machine for a small kitchen", funnel_stage: "ToFu", search_volume: 720 },
      { text: "narrow espresso machine with removable tank", funnel_stage: "BoFu", search_volume: 260 },
      { text: "espresso machine that fits under a shelf", funnel_stage: "ToFu", search_volume: 320 },
    ],
    "Milk drinks": [
      { text: "best espresso machine for cappuccino", funnel_stage: "MoFu", search_volume: 2900 },
      { text: "espresso machine that froths oat milk well", funnel_stage: "ToFu", search_volume: 480 },
      { text: "best espresso machine for latte art", funnel_stage: "MoFu", search_volume: 1600 },
      { text: "espresso machine with automatic milk frother", funnel_stage: "BoFu", search_volume: 2200 },
    ],
  },
  Work: {
    Offices: [
      { text: "best espresso machine for a small office", funnel_stage: "MoFu", search_volume: 1300 },
      { text: "office coffee machine with service contract", funnel_stage: "BoFu", search_volume: 590 },
      { text: "coffee machine for twenty people", funnel_stage: "ToFu", search_volume: 480 },
      { text: "office coffee machine with user profiles", funnel_stage: "MoFu", search_volume: 140 },
      { text: "coffee machine to lease for an office", funnel_stage: "BoFu", search_volume: 720 },
    ],
  },
  Brand: {
    Kestrova: [
      { text: "is Kestrova a good espresso machine", type: "Brand", funnel_stage: "BoFu", search_volume: 880 },
      { text: "Kestrova or Brindlecup", type: "Brand", funnel_stage: "BoFu", search_volume: 320 },
    ],
  },
};

/** What the brand analysis asks, how often, and as whom: the persona of this topic. */
export const ASKING = {
  name: "What models think of espresso machines",
  category: "espresso machines",
  /** The first of the catalog. */
  rivals: 3,
  attributes: ["ease of cleaning", "price"],
  countries: ["US", "DE"],
  sources: ["ASSISTANT_A", "ASSISTANT_B"] as const,
  persona: "First machine",
  collects: 2,
};

/** Of each set of templates the first ones are asked; rivals are asked about in comparisons alone. */
export const TEMPLATES_ASKED: Readonly<Record<string, number>> = {
  unaided: 8,
  in_country: 1,
  as_persona: 2,
  aided: 5,
  perception: 5,
  pros_cons: 2,
  attribute: 5,
  comparison: 1,
};

/** What the own brand declares of itself; some sources say otherwise. */
export const FACTS: readonly { attribute: string; value: FactValue; path: string }[] = [
  { attribute: "price", value: { kind: "price", amount: 549, currency: "USD" }, path: "/shop" },
  { attribute: "water tank", value: { kind: "number", number: 1.8, unit: "l" }, path: "/facts" },
  { attribute: "founded", value: { kind: "date", date: "2012" }, path: "/about" },
  { attribute: "grinder", value: { kind: "feature", present: false }, path: "/facts" },
  { attribute: "Germany", value: { kind: "availability", country: "DE", available: true }, path: "/where-to-buy" },
];

/** The audit of the own brand's site, which comes with the program. */
export const AUDIT = { name: "What answer engines find on kestrova.example", max_pages: 100, render: false };

/** Who asks, and about which topic. */
export const PERSONAS = [
  {
    topic: "First machine",
    name: "First-time buyer",
    archetype: "The careful beginner",
    description: "Wants good coffee at home without a hobby that takes over the kitchen.",
    demographic: { age: "25 to 40" },
    motivations: ["Coffee as in a good bar, every morning"],
    painPoints: ["Too many machines, too few differences that matter"],
    coreQuestions: ["Which machine should I buy first?"],
  },
  {
    topic: "Offices",
    name: "Office manager",
    archetype: "The one whom everybody asks when it breaks",
    description: "Buys for twenty people, and wants a machine that looks after itself.",
    demographic: { age: "30 to 55", occupation: "Office management" },
    motivations: ["Fewer complaints", "A cost that can be planned"],
    painPoints: ["Machines that need a trained hand", "Service that takes a week"],
    coreQuestions: ["What does it cost a month, with service?"],
  },
];

/** Labels of the workspace; the analysis carries the child. */
export const TAGS = { parent: { name: "Season", color: "#1F3A5F" }, child: { name: "Winter", color: "#4B7BB5" } };

/** A page of the own brand's, as text that can be evaluated. */
export const PAGE = {
  name: "Page: your first espresso machine",
  text: `# Your first espresso machine

The Kestrova heats up in under a minute and is easy to keep clean. It comes with a five-year warranty.

## Who it is for

- People who want good espresso at home, every morning
- Small kitchens: it is 21 cm wide
- Anyone who does not want to learn about pressure profiles

## What it does not do

It makes one cup at a time. For an office of more than ten people, look at a larger machine.
`,
};

/** What the page is judged for. */
export const EVALUATION = {
  name: "First machine: what the page says",
  category: "espresso machines",
  attributes: ["easy to clean", "warranty", "quiet"],
  language: "en",
};
