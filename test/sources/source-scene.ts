import { responseBody } from "../collecting/provider.ts";
import { collectScene } from "../collecting/scene.ts";
import { startFakeProvider } from "../providers/fake-provider.ts";

export const PRICES = JSON.stringify({ input_per_million: 100_000, output_per_million: 200_000 });

/**
 * A service that sends prompts to two providers, one of which rejects its key, and not to a third.
 */
export async function sourceScene() {
  const right = await startFakeProvider([{ body: responseBody("Acme is fine.") }]);
  const wrong = await startFakeProvider([{ status: 401 }]);
  const s = await collectScene({
    env: {
      OPENAI_API_KEY: "sk-secret",
      OPENAI_BASE_URL: right.url,
      OPENAI_MODEL: "gpt-test",
      OPENAI_PRICES: PRICES,
      OPENAI_REQUESTS_PER_MINUTE: "600",
      PERPLEXITY_API_KEY: "pplx-secret",
      PERPLEXITY_BASE_URL: wrong.url,
      PERPLEXITY_CONCURRENCY: "3",
      PERPLEXITY_MONTHLY_USD: "50",
      ANTHROPIC_API_KEY: "ant-secret",
    },
  });
  return {
    ...s,
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await right[Symbol.asyncDispose]();
      await wrong[Symbol.asyncDispose]();
    },
  };
}
