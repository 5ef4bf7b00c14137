import { z } from "zod";
import { checkQuotes } from "../../../core/evaluation/check-quotes.ts";
import { withoutInvisible } from "../../../core/fields.ts";
import type { AttributeMark, Criteria, Judgement, Mark } from "../../../core/evaluation/scorer.ts";

const ModelMark = z.object({
  score: z.number().min(0).max(100),
  explanation: z.string().max(4000),
  quotes: z.array(z.string().max(2000)).max(20),
});

/** What a model is asked to answer; anything else is no answer. */
export const ModelAnswer = z.object({
  overall: ModelMark,
  attributes: z.array(z.object({ attribute: z.string(), ...ModelMark.shape })).max(20),
});
type ModelAnswer = z.output<typeof ModelAnswer>;

const MOST_QUOTES = 5;
const UNFOUNDED = "None of the quotes that the model gave is in the asset.";

/**
 * What of a model's answer holds: quotes that stand in the text. A mark whose quotes all fail is not judged, because what
 * it says cannot be told from invention; of a picture, which has no text, quotes are not asked for.
 */
export function judgementOf(answer: ModelAnswer, text: string, criteria: Criteria): Judgement {
  let droppedQuotes = 0;
  const check = (mark: z.output<typeof ModelMark>): Mark | undefined => {
    const { quotes, dropped } = text === "" ? { quotes: [], dropped: 0 } : checkQuotes(text, mark.quotes);
    droppedQuotes += dropped;
    if (dropped > 0 && quotes.length === 0) return undefined;
    const explanation = withoutInvisible(mark.explanation).toWellFormed();
    return { score: Math.round(mark.score), explanation, quotes: quotes.slice(0, MOST_QUOTES) };
  };
  const overall = check(answer.overall);
  const attributes = criteria.attributes.map((attribute): AttributeMark => {
    const given = answer.attributes.find((one) => one.attribute === attribute);
    if (!given) return { attribute, status: "not_judged", reason: "The model did not evaluate this attribute." };
    const mark = check(given);
    return mark ? { attribute, status: "judged", ...mark } : { attribute, status: "not_judged", reason: UNFOUNDED };
  });
  return overall ? { kind: "judged", overall, attributes, droppedQuotes } : { kind: "not_judged", reason: UNFOUNDED };
}
