import { startAssistant, responseBody } from "../collecting/provider.ts";
import { collectScene } from "../collecting/scene.ts";
import { startFakeProvider } from "../providers/fake-provider.ts";

export type MethodReply = (prompt: string, method: "api" | "capture") => string;

/** Cited page by method. */
const CITED = { api: "https://interface.example/phones", capture: "https://captured.example/phones" };

const named: MethodReply = (prompt, method) =>
  method === "api" ? `Acme is fine for ${prompt}.` : `Rival for ${prompt}.`;

/**
 * A service that asks ChatGPT by its interface and as a vendor captures it: two small real servers,
 * in the form of OpenAI's Responses and of cloro's tasks, of which each has its answer at once.
 */
export async function methodsScene(said: MethodReply = named, env: Record<string, string> = {}) {
  const cited = { type: "url_citation", url: CITED.api, title: "Phones", start_index: 0, end_index: 1 };
  const api = await startAssistant((prompt) => ({ body: responseBody(said(prompt, "api"), [cited]) }));
  const capture = await startFakeProvider(({ body }, nth) => {
    const { payload } = body as { payload: { prompt: string } };
    const response = {
      text: said(payload.prompt, "capture"),
      citationPills: [{ url: CITED.capture }],
      model: "gpt-5-5",
    };
    const task = { id: `task-${nth}`, status: "COMPLETED" };
    return { body: { success: true, task, credits: { creditsCharged: 7 }, response } };
  });
  const s = await collectScene({
    env: {
      ...api.env,
      OPENAI_PRICES: JSON.stringify({ input_per_million: 1, output_per_million: 10, per_search: 0.01 }),
      CLORO_API_KEY: "sk_test",
      CLORO_BASE_URL: capture.url,
      CLORO_USD_PER_CREDIT: "0.001",
      ...env,
    },
  });
  return {
    ...s,
    api,
    capture,
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      await capture[Symbol.asyncDispose]();
    },
  };
}
