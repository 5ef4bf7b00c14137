import { z } from "zod";
import { httpProvider } from "../../src/outside/sources/http-provider.ts";
import type { TaskState } from "../../src/outside/sources/provider.ts";
import { ProviderError } from "../../src/outside/sources/provider-error.ts";
import { readBody } from "../../src/outside/sources/bodies/read-body.ts";

const Task = z.object({
  id: z.string(),
  state: z.enum(["queued", "done", "failed"]),
  usd: z.number(),
  text: z.string().nullish(),
  refused: z.boolean().nullish(),
});

function stateOf(rawBody: string, { isNew }: { isNew: boolean }): TaskState {
  const { id: taskId, state, usd, text, refused } = readBody(rawBody, Task);
  const costUsd = isNew ? usd : 0;
  if (state === "queued") return { state: "pending", taskId, costUsd };
  if (state === "failed") return { state: "failed", error: new ProviderError("unavailable", { rawBody, costUsd }) };
  const answer = { text: text ?? "", citations: [], results: [], rawBody, model: null, costUsd, tokens: 0 };
  return { state: "answered", answer: refused ? { ...answer, isRefusal: true } : answer };
}

/**
 * A plug-in as in `docs/providers/marketplace-assistant.md`, for a task-based vendor that accepts
 * our idempotency keys.
 */
export const marketplace = httpProvider({
  name: "marketplace",
  title: "a marketplace's assistant",
  serves: { MARKETPLACE_ASSISTANT: "capture" },
  prefix: "MARKETPLACE",
  baseUrl: "http://127.0.0.1:1",
  timeoutSeconds: 60,
  settings: {
    MARKETPLACE_API_KEY: z.string().min(1).optional().describe("Key of the vendor."),
    MARKETPLACE_POLL_MS: z.coerce.number().default(1000).describe("Between two polls."),
  },
  needs: ["MARKETPLACE_API_KEY"],
  headers: ({ MARKETPLACE_API_KEY }) => ({ authorization: `Bearer ${MARKETPLACE_API_KEY}` }),
  recordedOn: "2026-11",
  tasks: {
    async submit({ prompt }, { key }, { call, settings }) {
      const state = stateOf((await call("/tasks", { json: { prompt, key } })).text, { isNew: true });
      return state.state === "pending" ? { ...state, pollAfterMs: settings.MARKETPLACE_POLL_MS } : state;
    },
    async poll(task, _question, { call }) {
      return stateOf((await call(`/tasks/${task}`)).text, { isNew: false });
    },
    afterUnknown: "same_key",
    pollEveryMs: 50,
    maxTaskMs: 3_600_000,
  },
});
