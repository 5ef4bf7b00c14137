import CONTENT from "../../lists/demo/content.json" with { type: "json" };
import type { FactValue } from "../../core/claims/fact.ts";
import type { FunnelStage, KeywordType } from "../../core/sources/sources.ts";

// What the demo organization holds. Brands, people and sites are invented.

export const OWN = CONTENT.own;
export const RIVALS = CONTENT.rivals;

interface AskedQuestion {
  text: string;
  type?: KeywordType;
  funnel_stage: FunnelStage;
  search_volume: number;
}

/** A rival that the catalog gets between two collects. */
export const NEWCOMER = CONTENT.newcomer;

/** Collects of the demo, a week apart. */
export const COLLECTS = CONTENT.collects;

/** What people ask, by thematic and topic; the demo world knows these topics. */
export const QUESTIONS = CONTENT.questions as Record<string, Record<string, AskedQuestion[]>>;

/** Prompts, schedule and persona of the demo's brand analysis; `rivals` is the number of competitors, first of the catalog. */
export const ASKING = { ...CONTENT.asking, sources: ["ASSISTANT_A", "ASSISTANT_B"] as const };

/** Of each set of templates the first ones are asked; rivals are asked about in comparisons alone. */
export const TEMPLATES_ASKED: Readonly<Record<string, number>> = CONTENT.templatesAsked;

/** What the own brand declares of itself; some sources say otherwise. */
export const FACTS = CONTENT.facts as readonly { attribute: string; value: FactValue; path: string }[];

/** The audit of the own brand's site, which comes with the program. */
export const AUDIT = CONTENT.audit;

/** Who asks, and about which topic. */
export const PERSONAS = CONTENT.personas;

/** Labels of the workspace; the analysis carries the child. */
export const TAGS = CONTENT.tags;

/** A page of the own brand's, as text that can be evaluated. */
export const PAGE = CONTENT.page;

/** What the page is judged for. */
export const EVALUATION = CONTENT.evaluation;
