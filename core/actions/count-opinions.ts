import type { BaselineRow } from "./action.ts";
import { holding } from "./rules/con-rule.ts";
import type { Counted, OpinionView } from "./opinion-view.ts";
import { preferring, scoring } from "./rules/preference-rule.ts";

/** Whether a row is counted in what answers say, and not by who is present. */
export function isOpinion({ opinion }: BaselineRow): boolean {
  return opinion != null;
}

/** The answers that a row of evidence counts, in a collect: 1 where they say what it is about, prefer the own brand, or speak well of it. */
export function countOpinions(view: OpinionView, row: BaselineRow, ownId: string): Counted[] {
  const { opinion, source, brand_id: rivalId } = row;
  const of = { about: opinion?.about ?? null, source };
  switch (opinion?.kind) {
    case "con":
      return holding(view, ownId, opinion.about ?? "");
    case "fact":
      return [...(view.facts.find(({ id }) => id === opinion.fact_id)?.claims ?? [])];
    case "comparison":
      return rivalId === null ? [] : preferring(view, { ownId, rivalId }, of).map(won);
    case "score":
      return scoring(view, ownId, opinion.about ?? "").map(spokenWell);
    default:
      return [];
  }
}

function won(one: Counted): Counted {
  return { ...one, value: Number(one.value === 1) };
}

/** A score above zero. */
export function spokenWell(one: Counted): Counted {
  return { ...one, value: Number(one.value > 0.5) };
}
