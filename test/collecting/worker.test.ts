import { expect, test } from "vitest";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

const keywords = (count: number) => Array.from({ length: count }, (_, index) => `phone ${index}`);

test("a collect sends each question once, stores the answers with readings, and its analysis becomes live", async () => {
  await using provider = await startAssistant((prompt) => ({
    body: responseBody(`1. **Rival** – cheap\n2. **Acme** – good`, [
      { type: "url_citation", url: "https://acme.test/phones", title: "Phones", start_index: 3, end_index: 9 },
      { type: "url_citation", url: "https://example.org/", title: `On ${prompt}`, start_index: 0, end_index: 2 },
    ]),
  }));
  await using s = await collectScene({ env: provider.env });
  const analysis = await s.create(["phone 0", "phone 1"], { runs_per_prompt: 2 });
  expect(await s.ended(analysis)).toMatchObject({
    status: "completed",
    planned: 4,
    succeeded: 4,
    failed: 0,
    cost: { reserved_credits: 0, spent_credits: 4 },
  });
  expect(provider.asked).toEqual(
    new Map([
      ["phone 0", 2],
      ["phone 1", 2],
    ]),
  );
  expect(provider.requests[0]).toMatchObject({
    path: "/v1/responses",
    headers: { authorization: "Bearer sk-test" },
    body: { model: "test-model", tools: [{ type: "web_search" }], store: false },
  });
  expect((await s.owner.get(analysis)).body).toMatchObject({ status: "live", status_reason: null });
  expect(await s.credits()).toMatchObject({ available: 9996, reserved: 0, spent_this_month: 4 });
  const rows = await s.answers();
  expect(rows).toHaveLength(4);
  expect(rows[0]).toMatchObject({
    text: "1. **Rival** – cheap\n2. **Acme** – good",
    provider: "openai",
    model: "test-model-2026-11-01",
    collectionMethod: "api",
    locale: "en-US",
    costUsd: null,
    isInformative: true,
  });
  const { q, t } = openCommitted(s.store);
  expect(await q.select({ rank: t.places.rank }).from(t.places)).toHaveLength(8);
  expect(
    await q
      .select({ position: t.citations.position, domain: t.citations.domain })
      .from(t.citations)
      .orderBy(t.citations.answerKey, t.citations.position)
      .limit(2),
  ).toEqual([
    { position: 1, domain: "example.org" },
    { position: 2, domain: "acme.test" },
  ]);
  expect(await q.$count(t.collectSums)).toBeGreaterThan(0);
});

test("retries 408, 429, 5xx, broken bodies and connections, but no other rejection", async () => {
  const failures = [
    { status: 408 },
    { status: 429 },
    { status: 500 },
    { status: 503 },
    { hangUp: true },
    { body: "{" },
  ];
  await using provider = await startAssistant((prompt, nth) => {
    const number = Number(prompt.split(" ")[1]);
    if (number === 6) return { status: 400 };
    if (number === 7) return { status: 401 };
    if (number === 8) return { status: 429, body: { error: { code: "insufficient_quota" } } };
    return nth === 1 ? (failures[number] ?? {}) : { body: responseBody("Acme") };
  });
  await using s = await collectScene({ env: provider.env });
  const collect = await s.ended(await s.create(keywords(9)));
  expect(collect).toMatchObject({ status: "partial", planned: 9, succeeded: 6, failed: 3 });
  expect(keywords(9).map((prompt) => provider.asked.get(prompt))).toEqual([2, 2, 2, 2, 2, 2, 1, 1, 1]);
  expect((await s.jobs()).map(({ status, attempts, reason }) => [status, attempts, reason])).toEqual([
    ...Array.from({ length: 6 }, () => ["succeeded", 2, null]),
    ["failed", 1, "The provider answered HTTP 400."],
    ["failed", 1, "The provider rejected the configured key (HTTP 401)."],
    ["failed", 1, "The provider's account has no quota left."],
  ]);
  expect(await s.credits()).toMatchObject({ available: 9994, reserved: 0, spent_this_month: 6 });
});

test("a question that always fails ends after the configured attempts, and the analysis states why", async () => {
  await using provider = await startAssistant(() => ({ status: 500 }));
  await using s = await collectScene({ env: { ...provider.env, COLLECT_ATTEMPTS: "3" } });
  const analysis = await s.create(["phone"]);
  expect(await s.ended(analysis)).toMatchObject({ status: "failed", succeeded: 0, failed: 1 });
  expect(provider.asked.get("phone")).toBe(3);
  expect((await s.owner.get(analysis)).body).toMatchObject({
    status: "failed",
    status_reason: "No prompt of run 1 was answered. The provider answered HTTP 500.",
  });
  expect(await s.credits()).toMatchObject({ available: 10_000, reserved: 0, spent_this_month: 0 });
});

test("a late or oversized response fails the question with its reason", async () => {
  await using slow = await startAssistant(() => ({ delayMs: 3000 }));
  const env = { ...slow.env, OPENAI_TIMEOUT_SECONDS: "0.2", COLLECT_ATTEMPTS: "2" };
  expect(await endingOf(env)).toEqual([["failed", 2, "The provider did not answer in time."]]);
  await using huge = await startAssistant(() => ({ body: `"${"x".repeat(9 * 1024 * 1024)}"` }));
  expect(await endingOf(huge.env)).toEqual([["failed", 1, "The provider's answer is larger than 8 MB."]]);
});

/** Outcome of a collect's only question with these settings. */
async function endingOf(env: Record<string, string>) {
  await using s = await collectScene({ env });
  await s.ended(await s.create(["one"]));
  return (await s.jobs()).map(({ status, attempts, reason }) => [status, attempts, reason]);
}

test("a source without a provider fails at once with that reason, and the others make the collect partial", async () => {
  await using provider = await startAssistant();
  await using s = await collectScene({ env: { ...provider.env, SIMULATION: "0" } });
  const collect = await s.ended(await s.create(["phone"], { sources: ["ASSISTANT_A", "ASSISTANT_B"] }));
  expect(collect).toMatchObject({ status: "partial", succeeded: 1, failed: 1, cost: { spent_credits: 1 } });
  expect((await s.jobs()).map(({ source, status, reason }) => [source, status, reason])).toEqual([
    ["ASSISTANT_A", "succeeded", null],
    ["ASSISTANT_B", "failed", "No provider is configured for ASSISTANT_B, and simulation is off."],
  ]);
});

test("two workers on one store send no question twice", async () => {
  await using provider = await startAssistant(() => ({ delayMs: 5, body: responseBody("Acme") }));
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(keywords(200));
  await using _first = await s.otherWorker();
  await using _second = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", succeeded: 200 });
  expect([...provider.asked.values()]).toEqual(Array.from({ length: 200 }, () => 1));
  expect(await s.credits()).toMatchObject({ available: 9800, reserved: 0 });
});
