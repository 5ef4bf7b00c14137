import { z } from "zod";
import { SOURCES } from "../../core/sources/sources.ts";
import { httpProvider, type HttpContext } from "../../src/outside/sources/http-provider.ts";
import { openSources } from "../../src/outside/sources/open-sources.ts";
import type { Tasks, TaskState } from "../../src/outside/sources/provider.ts";
import { ProviderError } from "../../src/outside/sources/provider-error.ts";
import { readBody } from "../../src/outside/sources/bodies/read-body.ts";
import { startFakeProvider, type Reply } from "../providers/fake-provider.ts";

type AfterUnknown = "same_key" | "never" | "look_up";

const Task = z.object({
  id: z.string(),
  status: z.enum(["pending", "done", "failed"]),
  text: z.string().optional(),
  cost: z.number(),
});

/** US dollars that the vendor bills for a task when it takes it, and when it has its answer. */
export const [SUBMISSION_USD, ANSWER_USD] = [0.25, 0.5];

function stateOf(rawBody: string): TaskState {
  const { id: taskId, status, text = "", cost } = readBody(rawBody, Task);
  if (status === "pending") return { state: "pending", taskId, costUsd: cost };
  if (status === "failed") return { state: "failed", error: new ProviderError("unavailable", { costUsd: cost }) };
  const answer = { text, citations: [], results: [], rawBody, model: "v-1", costUsd: cost, tokens: 0 };
  return { state: "answered", answer };
}

function taskBody(id: string, status: string, cost: number, text?: string): Reply {
  return { body: { id, status, cost, text } };
}

/** A task provider with this behaviour after an unknown submission. */
function declareVendor(afterUnknown: AfterUnknown) {
  type Context = HttpContext<object>;
  const lookUp = async (key: string, { call }: Context) => {
    const { text } = await call("/tasks", { query: { key } });
    if (text === "later") return { state: "untold", waitMs: 50 } as const;
    return text === "null" ? undefined : stateOf(text);
  };
  const tasks: Tasks<Context> = {
    submit: async ({ prompt }, { key }, { call }) =>
      stateOf((await call("/tasks", { json: { prompt, ...(afterUnknown === "never" ? {} : { key }) } })).text),
    poll: async (task, _question, { call }) => stateOf((await call(`/tasks/${task}`)).text),
    afterUnknown: afterUnknown === "look_up" ? ({ key }, _question, context) => lookUp(key, context) : afterUnknown,
    pollEveryMs: 5,
    maxTaskMs: 30 * 60_000,
  };
  return httpProvider({
    name: "vendor",
    title: "a vendor of tasks",
    serves: { ASSISTANT_A: "capture" },
    prefix: "VENDOR",
    baseUrl: "http://127.0.0.1:1",
    timeoutSeconds: 1,
    settings: {},
    needs: [],
    headers: () => ({}),
    recordedOn: "2026-11",
    tasks,
  });
}

/** The sources of a process for which the vendor at this address answers ASSISTANT_A. */
export function vendorSources(url: string, afterUnknown: AfterUnknown, variables: Record<string, string> = {}) {
  const vendor = declareVendor(afterUnknown).open({ VENDOR_BASE_URL: url, ...variables }, { concurrency: 8 });
  return openSources(vendor ? [vendor] : [], Object.fromEntries(SOURCES.map((source) => [source, "vendor"])));
}

/**
 * A task vendor on loopback that bills each task on acceptance; a key is accepted once. `submitted`
 * overrides the nth submission of a prompt, `lookedUp` the nth status request.
 */
export async function startVendor({
  submitted = () => undefined,
  polled = (_prompt, nth) => (nth < 2 ? "pending" : "done"),
  lookedUp = () => undefined,
  delayMs = 0,
}: {
  submitted?: (prompt: string, nth: number) => Reply | undefined;
  polled?: (prompt: string, nth: number) => "pending" | "done" | "failed" | Reply;
  lookedUp?: (nth: number) => Reply | undefined;
  delayMs?: number;
} = {}) {
  const tasks = new Map<string, { prompt: string; key: string | undefined; polls: number }>();
  const times = new Map<string, number>();
  let lookUps = 0;
  const server = await startFakeProvider(({ method, path, body }) => {
    const known = (key: string | null | undefined) =>
      key == null ? undefined : [...tasks].find(([, task]) => task.key === key)?.[0];
    if (method === "POST") {
      const { prompt, key } = body as { prompt: string; key?: string };
      const nth = (times.get(prompt) ?? 0) + 1;
      times.set(prompt, nth);
      const id = known(key) ?? `task-${tasks.size + 1}`;
      const instead = submitted(prompt, nth);
      // A rejection bills nothing; a later interruption does.
      if (instead?.status !== undefined) return instead;
      tasks.set(id, tasks.get(id) ?? { prompt, key, polls: 0 });
      return { ...taskBody(id, "pending", SUBMISSION_USD), delayMs, ...instead };
    }
    const url = new URL(path, "http://vendor");
    if (url.pathname === "/tasks") {
      const instead = lookedUp(++lookUps);
      if (instead) return instead;
      const id = known(url.searchParams.get("key"));
      return id === undefined ? { body: "null" } : taskBody(id, "pending", SUBMISSION_USD);
    }
    const id = url.pathname.split("/").at(-1) ?? "";
    const task = tasks.get(id);
    if (!task) return { status: 404 };
    task.polls += 1;
    const state = polled(task.prompt, task.polls);
    if (typeof state !== "string") return state;
    return taskBody(
      id,
      state,
      state === "done" ? ANSWER_USD : 0,
      state === "done" ? `Acme for ${task.prompt}` : undefined,
    );
  });
  return {
    url: server.url,
    /** How many tasks were billed of each prompt. */
    billed() {
      const counts: Record<string, number> = {};
      for (const { prompt } of tasks.values()) counts[prompt] = (counts[prompt] ?? 0) + 1;
      return counts;
    },
    sent: server.sent,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
