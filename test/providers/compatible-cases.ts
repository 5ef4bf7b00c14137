import { compatibleProvider } from "../../src/outside/sources/providers/compatible.ts";
import { type Scene } from "./ask-provider.ts";

const PRICES = { input_per_million: 1, output_per_million: 10, per_search: 0 };

export const COMPATIBLE: Scene = {
  declared: compatibleProvider,
  prefix: "COMPATIBLE",
  env: { COMPATIBLE_MODEL: "local-7b", COMPATIBLE_PRICES: JSON.stringify(PRICES) },
};

export const body = (message: object, more: object = {}) => ({
  object: "chat.completion",
  model: "local-7b-q4",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
  usage: { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 },
  ...more,
});
