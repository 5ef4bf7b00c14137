import { z } from "zod";
import { json, optionalText } from "../../../config/setting-fields.ts";
import { readChat } from "../bodies/chat-body.ts";
import { httpProvider } from "../http-provider.ts";
import { instructionsFor } from "../instructions.ts";
import { readBody } from "../bodies/read-body.ts";
import { readResponses } from "../bodies/responses-body.ts";
import { tokenPricesSetting, unboundedPrice } from "../token-prices.ts";

const EXPECTED_USAGE = { input: 100, output: 600, searches: 0 };

const ModelsSchema = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

export const compatibleProvider = httpProvider({
  name: "compatible",
  title: "any OpenAI-compatible address",
  serves: { ASSISTANT_A: "api" },
  mayServe: { ASSISTANT_B: "api", ASSISTANT_C: "api", ASSISTANT_D: "api" },
  prefix: "COMPATIBLE",
  baseUrl: "http://127.0.0.1:11434/v1",
  timeoutSeconds: 300,
  settings: {
    COMPATIBLE_MODEL: optionalText(
      "Model at COMPATIBLE_BASE_URL that answers the prompts, such as a model of a local Ollama or vLLM. Without it the address is not used.",
    ),
    COMPATIBLE_API_KEY: optionalText("API key for COMPATIBLE_BASE_URL, if required."),
    COMPATIBLE_INTERFACE: z
      .enum(["chat", "responses"])
      .default("chat")
      .describe("API at COMPATIBLE_BASE_URL: chat (/chat/completions) or responses (/responses)."),
    COMPATIBLE_EXTRA: json
      .pipe(z.record(z.string(), z.unknown()))
      .optional()
      .describe('JSON that is added to each request, such as {"web_search_options":{}} or {"max_tokens":4000}.'),
    COMPATIBLE_PRICES: tokenPricesSetting("COMPATIBLE_MODEL"),
  },
  needs: ["COMPATIBLE_MODEL"],
  costNeeds: "COMPATIBLE_PRICES",
  headers: ({ COMPATIBLE_API_KEY: key }): Record<string, string> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  model: ({ COMPATIBLE_MODEL }) => COMPATIBLE_MODEL,
  price: (_, { prices }) => unboundedPrice(prices, EXPECTED_USAGE),
  recordedOn: "2026-08-14",
  async ask(question, { settings, call, prices }) {
    const { COMPATIBLE_MODEL: model, COMPATIBLE_EXTRA: extra } = settings;
    if (settings.COMPATIBLE_INTERFACE === "responses") {
      const asked = { model, input: question.prompt, instructions: instructionsFor(question), store: false, ...extra };
      return readResponses((await call("/responses", { json: asked })).text, { prices });
    }
    const messages = [
      { role: "system", content: instructionsFor(question) },
      { role: "user", content: question.prompt },
    ];
    const { text } = await call("/chat/completions", { json: { model, messages, stream: false, ...extra } });
    return readChat(text, { prices });
  },
  async check({ settings, call }) {
    const { data } = readBody((await call("/models")).text, ModelsSchema);
    const isListed = data.some(({ id }) => id === settings.COMPATIBLE_MODEL);
    return [`The address lists ${data.length} models, ${isListed ? "including this one" : "but not this one"}.`];
  },
});
