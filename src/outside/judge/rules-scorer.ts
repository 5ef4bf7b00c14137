import { assetClass } from "../../../core/assets.ts";
import { RULES_NAME, scoreText } from "../../../core/evaluation/score-text.ts";
import type { AssetScorer } from "../../../core/evaluation/scorer.ts";

/** Judges texts by rules. Images and videos need a model. */
export const rulesScorer: AssetScorer = {
  name: RULES_NAME,
  judges: ["text"],
  isPaid: false,
  score({ type, text }, criteria) {
    if (assetClass(type) === "text") return Promise.resolve(scoreText(text, criteria));
    const reason = `Text only: judging ${type === "image" ? "an image" : "a video"} needs a model.`;
    return Promise.resolve({ kind: "not_judged", reason });
  },
};
