import { xaiProvider } from "../../src/outside/sources/providers/xai.ts";
import { type Scene } from "./ask-provider.ts";

const PRICES = { input_per_million: 2, output_per_million: 6, per_search: 0.005 };

export const XAI: Scene = {
  declared: xaiProvider,
  prefix: "XAI",
  env: { XAI_API_KEY: "xai-test", XAI_MODEL: "grok-test", XAI_PRICES: JSON.stringify(PRICES) },
  question: { source: "ASSISTANT_B" },
};
