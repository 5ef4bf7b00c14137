import { expect, test } from "vitest";
import type { Question } from "../../src/outside/sources/provider.ts";
import { dataforseoProvider } from "../../src/outside/sources/providers/dataforseo.ts";
import { QUESTION } from "../providers/ask-provider.ts";
import { startFakeProvider } from "../providers/fake-provider.ts";
import { DATAFORSEO } from "../providers/scenes.ts";
import { createdReply, doneReply, failedReply, ID, organic, OVERVIEW, resultPageReply, taskReply } from "./replies.ts";

/** The provider at this address. */
function openAt(url: string) {
  const provider = dataforseoProvider.open({ DATAFORSEO_BASE_URL: url, ...DATAFORSEO.env }, { concurrency: 1 });
  if (!provider?.tasks || !provider.check) throw new Error("DataForSEO is not configured");
  return { ...provider, tasks: provider.tasks, check: provider.check };
}
const { signal } = new AbortController();
const question: Question = { ...QUESTION, source: "SEARCH_B" };

const ago = (ms: number) => ({ key: "key-1", begunAt: new Date(Date.now() - ms).toISOString() });

test("a task reports its cost on submission; while pending, an error says nothing about it", async () => {
  await using server = await startFakeProvider([
    createdReply,
    taskReply(40202),
    failedReply(50000),
    { status: 503 },
    taskReply(40602),
    taskReply(40101, { cost: 0.002 }),
  ]);
  const { tasks } = openAt(server.url);
  const state = await tasks.submit(question, ago(0), { signal });
  expect(state).toEqual({ state: "pending", taskId: ID, costUsd: 0.0012 });
  const poll = () => tasks.poll(ID, question, { signal });
  await expect(poll()).rejects.toMatchObject({ kind: "rate_limited" });
  await expect(poll()).rejects.toMatchObject({ kind: "unavailable" });
  await expect(poll()).rejects.toMatchObject({ kind: "unavailable" });
  expect(await poll()).toEqual({ state: "pending", taskId: ID, costUsd: 0 });
  expect(await poll()).toMatchObject({ state: "failed", error: { kind: "unavailable", costUsd: 0 } });
});

test("an unreadable result is requested again, and a missing one causes another task", async () => {
  const notLoaded = { ...OVERVIEW, asynchronous_ai_overview: true, markdown: null, items: null };
  await using server = await startFakeProvider([
    resultPageReply(organic(1, "acme", { url: 7 })),
    resultPageReply(),
    resultPageReply(notLoaded),
  ]);
  const { tasks } = openAt(server.url);
  await expect(tasks.poll(ID, question, { signal })).rejects.toMatchObject({ kind: "malformed" });
  expect(await tasks.poll(ID, question, { signal })).toMatchObject({
    state: "answered",
    answer: { showedNothing: true },
  });
  const overview: Question = { ...question, source: "SEARCH_B_AIO" };
  expect(await tasks.poll(ID, overview, { signal })).toMatchObject({ state: "failed", error: { kind: "unavailable" } });
});

test("its check is free and reports the balance; wrong credentials are reported", async () => {
  await using server = await startFakeProvider([
    doneReply({ login: "login", money: { total: 50, balance: 12.345 } }),
    { ...failedReply(40100), status: 401 },
  ]);
  const { check } = openAt(server.url);
  expect(await check({ signal })).toEqual(["12.35 US dollars are left"]);
  await expect(check({ signal })).rejects.toMatchObject({ kind: "unauthorized" });
  expect(server.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill("GET /appendix/user_data"));
});
