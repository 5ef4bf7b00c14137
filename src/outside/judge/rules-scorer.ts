import { toAssetClass } from "../../../core/assets/assets.ts";
import { ASSET_RULES_VERSION, scoreText } from "../../../core/assets/score-text.ts";
import { parseWithinTime } from "../../../core/shared/run-within-time.ts";
import type { AssetScorer } from "../../../core/assets/scorer.ts";

export const TOO_SLOW = { kind: "not_judged", reason: "The text of the asset takes too long to read." } as const;

export const rulesScorer: AssetScorer = {
  name: ASSET_RULES_VERSION,
  judges: ["text"],
  isPaid: false,
  score({ type, text }, criteria) {
    if (toAssetClass(type) === "text") {
      return Promise.resolve(parseWithinTime(text.length, () => scoreText(text, criteria), TOO_SLOW));
    }
    const reason = `Text only: judging ${type === "image" ? "an image" : "a video"} needs a model.`;
    return Promise.resolve({ kind: "not_judged", reason });
  },
};
