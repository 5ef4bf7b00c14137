import type { BaselineRow } from "./action.ts";
import { countConAnswers } from "./rules/con-rule.ts";
import type { CountedAnswer, OpinionView } from "./opinion-view.ts";
import { countPreferences, countScores } from "./rules/preference-rule.ts";

export function isOpinion({ opinion }: BaselineRow): boolean {
  return opinion != null;
}

/** Value 1: the answer expresses the opinion, prefers the own brand, or scores it above zero. */
export function countOpinions(view: OpinionView, row: BaselineRow, ownId: string): CountedAnswer[] {
  const { opinion, source, brand_id: rivalId } = row;
  const common = { about: opinion?.about ?? null, source };
  switch (opinion?.kind) {
    case "con":
      return countConAnswers(view, ownId, opinion.about ?? "");
    case "fact":
      return [...(view.facts.find(({ id }) => id === opinion.fact_id)?.claims ?? [])];
    case "comparison":
      return rivalId === null
        ? []
        : countPreferences(view, { ownId, rivalId }, common).map((one) => ({ ...one, value: Number(one.value === 1) }));
    case "score":
      return countScores(view, ownId, opinion.about ?? "").map(toPositiveShare);
    default:
      return [];
  }
}

/** Maps a score to 1 if above zero, else 0. */
export function toPositiveShare(one: CountedAnswer): CountedAnswer {
  return { ...one, value: Number(one.value > 0.5) };
}
