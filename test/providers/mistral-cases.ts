import { mistralProvider } from "../../src/outside/sources/providers/mistral.ts";
import { type Scene } from "./ask-provider.ts";

export const PRICES = { input_per_million: 1.5, output_per_million: 7.5, per_search: 0.03, as_of: "2026-06-01" };

export const MISTRAL: Scene = {
  declared: mistralProvider,
  prefix: "MISTRAL",
  env: { MISTRAL_API_KEY: "test", MISTRAL_PRICES: JSON.stringify(PRICES) },
  question: { source: "ASSISTANT_D" },
};

export const text = (said: string) => ({ type: "text", text: said });

export const body = (...outputs: object[]) => ({
  object: "conversation.response",
  conversation_id: "conv-1",
  outputs,
  usage: {
    prompt_tokens: 100,
    completion_tokens: 200,
    connector_tokens: 3900,
    total_tokens: 4200,
    connectors: { web_search: 2 },
  },
});
