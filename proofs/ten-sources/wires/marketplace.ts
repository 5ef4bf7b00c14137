import { GARBLED, REFUSED, textFor, type ProviderReply, type Wire } from "../wire.ts";

const MICROS = 2000;

function taskReply(id: string, state: string, more: object = {}): object {
  return { id, state, usd: MICROS / 1_000_000, ...more };
}

function failed(status: number, headers: Record<string, string> = {}): ProviderReply {
  return { status, headers, body: { error: status } };
}

/** The plug-in's vendor: it bills a task on acceptance and remembers its key forever. */
export const marketplace: Wire = {
  name: "marketplace",
  prefix: "MARKETPLACE",
  sources: ["MARKETPLACE_ASSISTANT"],
  base: "/marketplace",
  env: { MARKETPLACE_API_KEY: "key", SOURCE_MARKETPLACE_ASSISTANT: "marketplace" },
  maxUsd: "0.002",
  read({ method, body }) {
    if (method !== "POST") return undefined;
    const { prompt, key } = body as { prompt: string; key: string };
    return { source: "MARKETPLACE_ASSISTANT", prompt, key };
  },
  answer: (question, task) => ({ body: taskReply(task, "done", { text: textFor(question) }) }),
  says: {
    limited: (_, { waitMs }) => ({ ...failed(429, { "retry-after-ms": String(waitMs) }), waitMs }),
    quota: () => failed(402),
    down: () => failed(503),
    error: (_, { task }) => ({ body: taskReply(task, "failed") }),
    garbled: () => ({ body: GARBLED }),
    refusal: (_, { task }) => ({ body: taskReply(task, "done", { text: REFUSED, refused: true }) }),
    rejected: () => failed(400),
  },
  tasks: {
    polled: ({ method, path }) => (method === "GET" ? path.split("/").at(-1) : undefined),
    taken: (_, task) => ({ body: taskReply(task, "queued"), micros: MICROS }),
    pending: (_, task) => ({ body: taskReply(task, "queued") }),
    known: (_, task) => ({ body: taskReply(task, "queued") }),
    polls: 1,
  },
};
