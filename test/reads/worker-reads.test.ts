import type { ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { deserialize, serialize } from "node:v8";
import { pino } from "pino";
import { expect, test } from "vitest";
import { serveReads } from "../../src/reads/serve-reads.ts";
import { openHeavyReads } from "../../src/reads/heavy-reads.ts";
import type { WorkerOutput, ReadInput } from "../../src/reads/read-messages.ts";
import { openWorkerReads } from "../../src/reads/worker-reads.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { FACETS, PROJECT, searchWorld } from "../metrics/search-metrics-scene.ts";

/**
 * The scene's service and a worker's service on the same data; messages between them are cloned as
 * between processes.
 */
async function scene() {
  const w = await searchWorld();
  const reads = openWorkerReads();
  const toWorker: ReadInput[] = [];
  const parts: number[] = [];
  const line = Object.assign(new EventEmitter(), {
    connected: true,
    send(message: ReadInput) {
      toWorker.push(message);
      answer(deserialize(serialize(message)) as ReadInput);
    },
  });
  let held: Promise<void> | undefined;
  const send = async (message: WorkerOutput) => {
    await held;
    if (typeof message === "object" && "part" in message) parts.push(message.part.length);
    if (line.connected) line.emit("message", deserialize(serialize(message)));
  };
  const answer = serveReads(w.deps, pino({ level: "silent" }), send);
  reads.connect(line as unknown as ChildProcess);
  const alone = w.deps.heavyReads;
  return {
    ...w,
    toWorker,
    parts,
    /** Has the worker do the heavy reads from now on, or no longer. */
    withWorker(isThere: boolean, options: { maxWaitMs?: number } = {}) {
      if (isThere) line.emit("message", "working" satisfies WorkerOutput);
      w.deps.heavyReads = isThere ? openHeavyReads(reads, options) : alone;
    },
    /** Holds the worker's messages until the returned function is called. */
    hold() {
      const over = new AbortController();
      held = once(over.signal, "abort").then(() => undefined);
      return () => over.abort();
    },
    killWorker() {
      line.connected = false;
      line.emit("disconnect");
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const FILTERS = `/api/v1/projects/${PROJECT}/filters`;
const HEAVY: [path: string, query: Record<string, string>][] = [
  ["/api/v1/top-brands", { project_id: PROJECT, thematics: "Home" }],
  ["/api/v1/top-brands", { project_id: PROJECT, topic_ids: FACETS.milk }],
  [
    "/api/v1/keywords-metrics",
    { project_id: PROJECT, sources: "SEARCH_A", thematics: "Home", keyword_type: "Generic" },
  ],
  [FILTERS, {}],
];

test("sends heavy reads to the worker process and returns the same bytes as a read in this process", async () => {
  await using s = await scene();
  const textOf = async (path: string, query: Record<string, string>) => {
    const headers = { authorization: `Bearer ${s.owner.accessToken}` };
    const response = await fetch(new URL(s.address(path, query), s.config.baseUrl), { headers });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  for (const [at, [path, query]] of HEAVY.entries()) {
    s.withWorker(false);
    const alone = await textOf(path, query);
    s.withWorker(true);
    expect(await textOf(path, query)).toEqual(alone);
    expect(alone.status).toBe(200);
    expect(s.toWorker.length).toBe(at + 1);
  }
  expect(Math.max(...s.parts)).toBeLessThanOrEqual(256 * 1024);
  // Rollups are read in the process that answers the call.
  await s.top();
  expect(s.toWorker.length).toBe(HEAVY.length);
});

test("returns the worker's rejection word for word, and stores it in the audit log", async () => {
  await using s = await scene();
  const unknown = "01900000-0000-7000-8000-00000000dead";
  const ask = () => s.get("/api/v1/top-brands", { project_id: PROJECT, thematics: "Home", collect_id: unknown });
  const alone = await ask();
  s.withWorker(true);
  const { body, status } = await ask();
  expect([status, body]).toEqual([400, { ...alone.body, request_id: body.request_id }]);
  await s.deps.audit.flush();
  const { data } = (await s.owner.get(`${s.organization.path}/audit-log?endpoint=listTopBrands`)).body;
  expect(data.map((row: { outcome: string }) => row.outcome)).toEqual(["VALIDATION_FAILED", "VALIDATION_FAILED"]);
});

test("a tool's result comes from the worker ready to be sent, the same as without it", async () => {
  await using s = await scene();
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, 2026-07-28"]?.(s.config.mcpUrl, { token });
  const given = { client_id: s.organization.id, project_id: PROJECT };
  const calls: [string, object][] = [
    ["get_project_filters", given],
    [
      "list_keywords_metrics",
      { ...given, sources: [], thematics: [], keyword_type: [], limit: 2, fields: ["keyword_text"] },
    ],
    ["list_top_brands", { ...given, thematics: ["Home"] }],
  ];
  for (const [name, args] of calls) {
    s.withWorker(false);
    const alone = await client?.call(name, { ...args });
    s.withWorker(true);
    expect(await client?.call(name, { ...args })).toEqual(alone);
    expect(alone?.isError).toBe(false);
  }
  expect(s.toWorker.length).toBe(calls.length);
});

test("answers a read whose worker is killed", async () => {
  // Fault: the worker exits after it received a read and before it replied.
  await using s = await scene();
  s.withWorker(true);
  const asked = s.get(FILTERS);
  await expect.poll(() => s.toWorker.length).toBe(1);
  s.killWorker();
  expect((await asked).status).toBe(200);
  expect((await s.get(FILTERS)).status).toBe(200);
  expect(s.toWorker.length).toBe(1);
});

test("cancels the read of a caller who disconnects, so that it delays no other caller", async () => {
  // Attack: request heavy reads and disconnect, repeatedly.
  await using s = await scene();
  s.withWorker(true);
  const release = s.hold();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${s.owner.accessToken}` };
  const asked = fetch(new URL(s.address(FILTERS, {}), s.config.baseUrl), { headers, signal: leaving.signal });
  await expect.poll(() => s.toWorker.length).toBe(1);
  leaving.abort();
  await expect(asked).rejects.toThrow("aborted");
  await expect.poll(() => s.toWorker.at(-1)).toEqual({ id: 1, read: "cancelled" });
  release();
  expect((await s.get(FILTERS)).status).toBe(200);
});

test("answers 503 with Retry-After over REST, and the same message to tools, when the worker does not begin a read in time", async () => {
  await using s = await scene();
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, 2026-07-28"]?.(s.config.mcpUrl, { token });
  s.withWorker(true, { maxWaitMs: 100 });
  const release = s.hold();
  const headers = { authorization: `Bearer ${s.owner.accessToken}` };
  const response = await fetch(new URL(s.address(FILTERS, {}), s.config.baseUrl), { headers });
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  const sentence = "The process that computes metrics is busy or restarting. Send the request again in a few seconds.";
  expect(await response.json()).toMatchObject({ code: "UNAVAILABLE", message: sentence });
  const called = await client?.call("get_project_filters", { client_id: s.organization.id, project_id: PROJECT });
  expect(called?.isError).toBe(true);
  expect(JSON.stringify(called)).toContain(sentence);
  release();
});
