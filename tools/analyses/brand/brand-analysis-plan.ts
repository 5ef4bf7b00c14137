import type { QuestionRows } from "../../../db/measuring/questions.ts";
import type { AnalysisPlan, QuestionPart } from "../analysis-kind.ts";
import type { BrandAnalysisSetup } from "./brand-analysis-setup.ts";
import { countQuestions, questionsOf, type BrandQuestion } from "./brand-questions.ts";

/** A question per prompt, country and persona, at each source of the setup. */
export function planBrandAnalysis(setup: BrandAnalysisSetup): AnalysisPlan {
  const { name: _name, schedule: _schedule, brand_id: _brand, competitor_ids: _competitors, ...rest } = setup;
  const { prompts, ends_at: _end, max_spend_usd: _cap, ...settings } = rest;
  return {
    brandId: setup.brand_id,
    competitorIds: setup.competitor_ids,
    settings,
    prompts,
    questions: countQuestions(setup),
  };
}

/** Rows of a part of the questions of a setup. They stand in no groups. */
export function planQuestions(setup: BrandAnalysisSetup, part: QuestionPart, newId: () => string): QuestionRows {
  const { analysisId, first, most } = part;
  const { questions } = questionsOf(setup);
  return {
    facets: [],
    questions: questions.slice(first, first + most).map((question, index) => ({
      id: newId(),
      analysisId,
      position: first + index,
      ...columnsOf(question, setup.brand_id),
    })),
  };
}

function columnsOf({ prompt, country, personaId }: BrandQuestion, ownId: string) {
  const { kind, brand_id: brandId } = prompt;
  return {
    text: prompt.text,
    // What names a brand stays out of headline figures.
    type: kind === "unaided" ? ("Generic" as const) : ("Brand" as const),
    personaId,
    intent: [],
    promptKind: kind,
    country,
    askedBrandId: kind === "comparison" ? ownId : brandId,
    otherBrandId: kind === "comparison" ? brandId : null,
    lookAlike: prompt.look_alike,
    attribute: prompt.attribute,
    asksProsCons: prompt.asks_pros_cons,
    tag: prompt.tag,
    template: prompt.template,
  };
}
