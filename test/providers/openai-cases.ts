import { openaiProvider } from "../../src/outside/sources/providers/openai.ts";
import { responseBody } from "../collecting/provider.ts";
import { type Scene } from "./ask-provider.ts";

const PRICES = { input_per_million: 1, output_per_million: 10, per_search: 0.01 };

export const OPENAI: Scene = {
  declared: openaiProvider,
  prefix: "OPENAI",
  env: { OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "test-model", OPENAI_PRICES: JSON.stringify(PRICES) },
};

export const body = (...output: object[]) => ({ ...responseBody(""), output });
