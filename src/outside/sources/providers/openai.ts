import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { checkModel, httpProvider } from "../http-provider.ts";
import { instructionsFor } from "../instructions.ts";
import type { Question } from "../provider.ts";
import { readResponses } from "../bodies/responses-body.ts";
import { tokenPricesSetting } from "../token-prices.ts";

export const openaiProvider = httpProvider({
  name: "openai",
  title: "an OpenAI-compatible Responses API",
  serves: { ASSISTANT_A: "api" },
  prefix: "OPENAI",
  baseUrl: "https://api.openai.com/v1",
  timeoutSeconds: 180,
  settings: {
    OPENAI_API_KEY: optionalText("OpenAI API key for ASSISTANT_A. Without a key ASSISTANT_A is simulated."),
    OPENAI_MODEL: z.string().min(1).default("gpt-5").describe("Model that answers the prompts."),
    OPENAI_PRICES: tokenPricesSetting("OPENAI_MODEL"),
  },
  needs: ["OPENAI_API_KEY"],
  costNeeds: "OPENAI_PRICES",
  headers: ({ OPENAI_API_KEY }) => ({ authorization: `Bearer ${OPENAI_API_KEY}` }),
  model: ({ OPENAI_MODEL }) => OPENAI_MODEL,
  recordedOn: "2026-10",
  async ask(question, { settings, call, prices }) {
    const { text } = await call("/responses", { json: buildRequestBody(settings.OPENAI_MODEL, question) });
    return readResponses(text, { prices });
  },
  check: checkModel(({ OPENAI_MODEL }) => OPENAI_MODEL),
});

function buildRequestBody(model: string, { prompt, persona, country, language }: Question) {
  return {
    model,
    input: prompt,
    instructions: instructionsFor({ persona, language }),
    tools: [{ type: "web_search", user_location: { type: "approximate", country } }],
    // Without this, the API omits pages that were read but not cited.
    include: ["web_search_call.action.sources"],
    store: false,
  };
}
