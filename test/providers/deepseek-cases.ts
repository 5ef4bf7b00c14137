import { deepseekProvider } from "../../src/outside/sources/providers/deepseek.ts";
import { type Scene } from "./ask-provider.ts";

const PRICES = { input_per_million: 0.3, output_per_million: 1.2, per_search: 0.00075 };

export const DEEPSEEK: Scene = {
  declared: deepseekProvider,
  prefix: "DEEPSEEK",
  env: { DEEPSEEK_API_KEY: "sk-test", DEEPSEEK_PRICES: JSON.stringify(PRICES), DEEPSEEK_MOST_USD: "0.05" },
  question: { source: "ASSISTANT_C" },
};
