import { GARBLED, PAGES, textFor, type ProviderReply, type Wire } from "../wire.ts";

const CREDITS = 5;
const MICROS = 5000;

function taskReply(id: string, status: string, more: object = {}): object {
  return { success: true, task: { id, status }, ...more };
}

function failed(status: number, code: string, headers: Record<string, string> = {}): ProviderReply {
  return { status, headers, body: { success: false, error: { code, message: "…" } } };
}

/** cloro: tasks under our key, which it accepts once; a repeated key gets no task id. */
export const cloro: Wire = {
  name: "cloro",
  prefix: "CLORO",
  sources: ["SEARCH_B_AIO"],
  base: "/cloro",
  env: {
    CLORO_API_KEY: "sk_test",
    CLORO_USD_PER_CREDIT: String(MICROS / CREDITS / 1_000_000),
    SOURCE_SEARCH_B_AIO: "cloro",
  },
  read({ method, path, body }) {
    if (method !== "POST" || path !== "/v1/async/task") return undefined;
    const { payload, idempotencyKey } = body as { payload: { query: string }; idempotencyKey: string };
    return { source: "SEARCH_B_AIO", prompt: payload.query, key: idempotencyKey };
  },
  answer(question, task) {
    const aioverview = { markdown: textFor(question), sources: PAGES.map((url) => ({ url, label: "A page" })) };
    return {
      body: taskReply(task, "COMPLETED", {
        credits: { creditsCharged: CREDITS },
        response: { aioverview, organicResults: [] },
      }),
    };
  },
  says: {
    limited: () => failed(429, "RATE_LIMIT_EXCEEDED"),
    quota: () => failed(403, "INSUFFICIENT_CREDITS"),
    down: (_, { waitMs }) => ({
      ...failed(503, "SERVICE_UNAVAILABLE", { "retry-after": String(waitMs / 1000) }),
      waitMs,
    }),
    // A failed capture is not charged.
    error: (_, { task }) => ({
      body: taskReply(task, "FAILED", {
        credits: { creditsCharged: 0 },
        response: { error: { code: "CAPTURE_FAILED" } },
      }),
      micros: -MICROS,
    }),
    garbled: (_, { task }) => ({
      body: taskReply(task, "COMPLETED", { credits: { creditsCharged: CREDITS }, response: GARBLED }),
    }),
    refusal: (_, { task }) => ({
      body: taskReply(task, "COMPLETED", {
        credits: { creditsCharged: CREDITS },
        response: { aioverview: null, organicResults: [] },
      }),
    }),
    rejected: () => failed(400, "VALIDATION_ERROR"),
  },
  // The answer of a task whose submission had no response cannot be fetched.
  ends: { refusal: "not_shown", cut: "unavailable", hang: "unavailable" },
  tasks: {
    polled: ({ path }) => /^\/v1\/async\/task\/(.+)$/.exec(path)?.[1],
    taken: (_, task) => ({ body: taskReply(task, "QUEUED", { credits: { creditsCharged: null } }), micros: MICROS }),
    pending: (_, task) => ({ body: taskReply(task, "PROCESSING") }),
    known: () => failed(409, "IDEMPOTENCY_CONFLICT"),
    polls: 0,
  },
};
