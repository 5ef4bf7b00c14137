import type { Environment } from "../../config.ts";
import type { AssetScorer } from "../../../core/evaluation/scorer.ts";
import { modelScorer } from "./model-scorer.ts";
import { rulesScorer } from "./rules-scorer.ts";

/** The scorer of this process: a model if one is configured, rules otherwise. */
export function openScorer(config: Environment): AssetScorer {
  const { EVALUATION_MODEL_BASE_URL: baseUrl, EVALUATION_MODEL: model } = config;
  if (baseUrl === undefined || model === undefined) return rulesScorer;
  return modelScorer({
    baseUrl,
    model,
    apiKey: config.EVALUATION_MODEL_API_KEY,
    timeoutMs: config.EVALUATION_MODEL_TIMEOUT_SECONDS * 1000,
    backoffBaseMs: config.COLLECT_BACKOFF_SECONDS * 1000,
  });
}
