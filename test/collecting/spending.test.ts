import { pino } from "pino";
import { expect, test } from "vitest";
import { usdToMicros } from "../../core/credits/micros.ts";
import { openSources } from "../../src/outside/sources/open-sources.ts";
import { openaiProvider } from "../../src/outside/sources/providers/openai.ts";
import { openCommitted } from "../support/committed.ts";
import { startAssistant, responseBody, type Replies } from "./provider.ts";
import { collectScene } from "./scene.ts";
import { ANSWER_USD, SUBMISSION_USD, startVendor, vendorSources } from "./vendor.ts";
import { PRICES, type Scene, readAccounts } from "./spending-cases.ts";

const answering: Replies = () => ({ body: responseBody("Acme") });

function keywords(count: number): string[] {
  return Array.from({ length: count }, (_, nth) => `phone ${nth}`);
}

/** Why questions failed, and how many for that reason. */
async function failures(s: Scene) {
  const reasons = (await s.jobs()).filter(({ status }) => status === "failed").map(({ reason }) => reason ?? "");
  return Object.fromEntries(
    [...new Set(reasons)].map((reason) => [reason, reasons.filter((r) => r === reason).length]),
  );
}

const OF_ORGANIZATION = "The monthly spending cap of the organization is reached.";

const OF_DAY = "The daily spending cap of the provider is reached.";

test("millionths are rounded up, without binary noise", () => {
  expect([0, 0.25, 0.1 + 0.2, 0.000_000_1, 24.1].map(usdToMicros)).toEqual([0, 250_000, 300_000, 1, 24_100_000]);
});

test("a daily cap holds over two workers and waiting tasks, reserving the configured maximum", async () => {
  await using vendor = await startVendor({ polled: (_, nth) => (nth < 3 ? "pending" : "done") });
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(keywords(12));
  const sources = () => vendorSources(vendor.url, "same_key", { VENDOR_DAILY_USD: "5", VENDOR_MOST_USD: "1" });
  await using _first = await s.otherWorker(5000, undefined, sources());
  await using _second = await s.otherWorker(5000, undefined, sources());
  // While the first tasks wait, five of them reserve the whole cap.
  await expect.poll(() => vendor.sent.filter(({ method }) => method === "POST").length).toBe(5);
  expect(await s.ended(analysis)).toMatchObject({ status: "partial", succeeded: 6, failed: 6 });
  const spent = 6 * (SUBMISSION_USD + ANSWER_USD);
  expect(Object.keys(vendor.billed())).toHaveLength(6);
  expect(await readAccounts(s)).toEqual({
    organizationMonth: ["organization", spent, 0],
    providerMonth: ["provider:vendor", spent, 0],
    providerDay: ["provider:vendor", spent, 0],
    open: 0,
  });
  expect(await failures(s)).toEqual({ [OF_DAY]: 6 });
});

test("an organization's cap holds independently of the provider's, and without a known maximum nothing is sent", async () => {
  await using provider = await startAssistant(answering);
  const env = { ...provider.env, OPENAI_PRICES: PRICES, ORGANIZATION_MONTHLY_USD: "2.5" };
  await using s = await collectScene({ env: { ...env, OPENAI_MOST_USD: "1" } });
  expect(await s.ended(await s.create(keywords(5)))).toMatchObject({ succeeded: 2, failed: 3 });
  expect(provider.asked.size).toBe(2);
  expect(await failures(s)).toEqual({ [OF_ORGANIZATION]: 3 });
  await using unbounded = await collectScene({ env });
  await unbounded.ended(await unbounded.create(["one"]));
  expect(await failures(unbounded)).toEqual({
    "The maximum cost of an answer is unknown, so the spending cap cannot be enforced.": 1,
  });
  expect(provider.asked.size).toBe(2);
  const capped = { ...provider.env, OPENAI_PRICES: PRICES, OPENAI_DAILY_USD: "5" };
  expect(() => openaiProvider.settings.parse(capped)).toThrow("is required for a spending cap");
  expect(() => openaiProvider.settings.parse({ ...capped, OPENAI_PRICES: undefined })).toThrow("needs OPENAI_PRICES");
});

test("a possibly billed attempt counts with its maximum; a rejected one is free", async () => {
  await using provider = await startAssistant((prompt, nth) => {
    if (prompt === "refused" && nth === 1) return { status: 503 };
    return nth === 1 ? { hangUp: true } : { body: responseBody("Acme") };
  });
  const env = { OPENAI_PRICES: PRICES, OPENAI_MOST_USD: "1.5", OPENAI_MONTHLY_USD: "20" };
  await using s = await collectScene({ env: { ...provider.env, ...env } });
  await s.ended(await s.create(["broken off", "refused"]));
  expect((await readAccounts(s)).providerMonth).toEqual(["provider:openai", 1.5 + 1 + 1, 0]);
});

test("a bill above the reservation counts, is logged, and stops the provider until its maximum is raised", async () => {
  await using provider = await startAssistant(answering);
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  await using s = await collectScene({ env: { SERVE: "core" } });
  const worker = (most: string) => {
    const variables = { ...provider.env, OPENAI_PRICES: PRICES, OPENAI_MOST_USD: most, OPENAI_MONTHLY_USD: "20" };
    const opened = openaiProvider.open(variables, { concurrency: 1 });
    return s.otherWorker(5000, undefined, openSources(opened ? [opened] : []), log);
  };
  const first = await s.create(keywords(5));
  {
    await using _worker = await worker("0.4");
    await s.ended(first);
  }
  const asked = provider.asked.size;
  // Prompts in flight before the first bill arrived.
  expect(asked).toBeLessThan(5);
  expect(await failures(s)).toEqual({
    "The provider billed more than the maximum cost of an answer. No prompts are sent until that maximum is raised.":
      5 - asked,
  });
  const { q, t } = openCommitted(s.store);
  expect(await q.select().from(t.excessBills)).toMatchObject([
    { provider: "openai", source: "ASSISTANT_A", micros: 1_000_000, bills: asked },
  ]);
  expect((await readAccounts(s)).providerMonth).toEqual(["provider:openai", asked, 0]);
  const said = lines.map((line) => JSON.parse(line) as object);
  expect(said).toHaveLength(asked);
  expect(said[0]).toMatchObject({
    provider: "openai",
    source: "ASSISTANT_A",
    reservedUsd: 0.4,
    billedUsd: 1,
    msg: "a provider billed more than its limit per answer: no further prompts are sent to it",
  });
  const second = await s.create(["another"]);
  await using _worker = await worker("1");
  expect(await s.ended(second)).toMatchObject({ status: "completed", succeeded: 1 });
});
