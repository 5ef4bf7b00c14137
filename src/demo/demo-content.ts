import CONTENT from "../../lists/demo/content.json" with { type: "json" };
import type { FactValue } from "../../core/claims/fact.ts";
import type { FunnelStage, KeywordType } from "../../core/sources/sources.ts";

export const OWN_BRAND = CONTENT.own;
export const DEMO_COMPETITORS = CONTENT.rivals;

interface DemoPrompt {
  text: string;
  type?: KeywordType;
  funnel_stage: FunnelStage;
  search_volume: number;
}

export const NEWCOMER_BRAND = CONTENT.newcomer;

export const RUN_COUNT = CONTENT.collects;

/** The simulated sources know these topics. */
export const DEMO_PROMPTS = CONTENT.questions as Record<string, Record<string, DemoPrompt[]>>;

export const BRAND_ANALYSIS_SETUP = { ...CONTENT.asking, sources: ["ASSISTANT_A", "ASSISTANT_B"] as const };

/** Taken from the start of each template set. Competitors appear only in comparisons. */
export const TEMPLATE_COUNTS: Readonly<Record<string, number>> = CONTENT.templatesAsked;

export const DEMO_FACTS = CONTENT.facts as readonly { attribute: string; value: FactValue; path: string }[];

export const DEMO_AUDIT = CONTENT.audit;

export const DEMO_PERSONAS = CONTENT.personas;

export const DEMO_TAGS = CONTENT.tags;

export const DEMO_PAGE = CONTENT.page;

export const DEMO_EVALUATION = CONTENT.evaluation;
