import { expect, test } from "vitest";
import { addProviderSpend } from "../../db/sources/source-spend.ts";
import { chargeSpend, recordExcessBill, reserveSpend } from "../../db/sources/spend-accounts.ts";
import { storeUnreadBody } from "../../db/answers/unread-bodies.ts";
import { runDoctorCommand } from "../../src/cli/doctor-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { openaiProvider } from "../../src/outside/sources/providers/openai.ts";
import { simulated } from "../../src/outside/sources/simulated/simulated.ts";
import { responseBody } from "../collecting/provider.ts";
import { startFakeProvider, type Reply } from "../providers/fake-provider.ts";
import { world } from "../support/world.ts";

const DECLARED = [openaiProvider, simulated];

/** Output of the doctor with these settings and this provider response. */
async function runDoctor(reply: Reply | ((path: string) => Reply), env: Record<string, string>, args: string[] = []) {
  await using server = await startFakeProvider(({ path }) => (typeof reply === "function" ? reply(path) : reply));
  const url = env["OPENAI_API_KEY"] === undefined ? {} : { OPENAI_BASE_URL: server.url };
  const environment = readConfig({ ...env, ...url }, DECLARED);
  const { text, ok } = await runDoctorCommand({ environment, declared: DECLARED, store: undefined }, args);
  const lineOf = (source: string) => text.split("\n").find((line) => line.includes(`(${source})`));
  return { text, ok, lineOf, asked: server.sent.map(({ method, path }) => `${method} ${path}`) };
}

const KEY = { OPENAI_API_KEY: "sk-secret", OPENAI_MODEL: "gpt-test-2026-08-07" };

test("the doctor names the settings for each simulated source", async () => {
  const { ok, lineOf, asked } = await runDoctor({}, {});
  expect(lineOf("ASSISTANT_A")).toBe(
    "ChatGPT (ASSISTANT_A)                       simulated. For real answers, set OPENAI_API_KEY (an OpenAI-compatible Responses API).",
  );
  expect([ok, asked]).toEqual([true, []]);
});

test("the doctor uses free requests: model, remaining quota, and clock", async () => {
  const date = new Date(Date.now() - 60_000).toUTCString();
  const reply = { headers: { "x-ratelimit-remaining-requests": "59", date } };
  const { ok, text, lineOf, asked } = await runDoctor(reply, KEY);
  expect(lineOf("ASSISTANT_A")).toMatch(
    /^ChatGPT \(ASSISTANT_A\) +openai, api: ok\. Model gpt-test-2026-08-07, pinned\. Tested with recorded answers of \S+\. 59 requests left\. The local clock is 6\d s ahead of the provider's: synchronise it with a time server\.$/,
  );
  expect(text).toContain("npx brand-visibility doctor --ask sends 1 prompt, for the unknown price of 1 answer.\n");
  expect([ok, asked]).toEqual([true, ["GET /models/gpt-test-2026-08-07"]]);
});

test("the doctor fails if a configured provider does not respond, and never shows the key", async () => {
  const { ok, text, lineOf } = await runDoctor({ status: 401 }, { ...KEY, OPENAI_MODEL: "gpt-test" });
  expect(lineOf("ASSISTANT_A")).toContain(
    "unauthorized. The provider rejected the configured key (HTTP 401). Correct OPENAI_API_KEY. Model gpt-test, not pinned: it can change.",
  );
  expect([ok, text.includes("sk-secret")]).toEqual([false, false]);
  const chosen = await runDoctor({}, { SOURCE_ASSISTANT_A: "openai" });
  expect(chosen.lineOf("ASSISTANT_A")).toContain("none. SOURCE_ASSISTANT_A names a provider that is not configured.");
  expect(chosen.ok).toBe(false);
});

function answering(path: string): Reply {
  return path === "/responses" ? { body: responseBody("Acme") } : {};
}

test("with --ask, the doctor sends one prompt to each real source", async () => {
  const { ok, text, asked } = await runDoctor(answering, KEY, ["--ask"]);
  expect(text).toContain(
    "answered: 4 characters, 0 results, 0 citations, by test-model-2026-11-01, for an unknown amount\n",
  );
  expect([ok, asked]).toEqual([true, ["GET /models/gpt-test-2026-08-07", "POST /responses"]]);
  const failing = await runDoctor({}, KEY, ["--ask"]);
  expect([failing.ok, failing.text.includes("  malformed. The provider's answer could not be read. Correct ")]).toEqual(
    [false, true],
  );
});

test("the doctor counts answers that could not be read, and prints them", async () => {
  await using w = await world();
  const row = { jobId: "job-1", provider: "openai", kind: "malformed", at: w.deps.now(), body: '{"new":"shape"}' };
  await w.store.write((db) => storeUnreadBody(db, row));
  const doctor = { environment: readConfig({}, DECLARED), declared: DECLARED, store: w.store };
  expect((await runDoctorCommand(doctor, [])).text).toContain(
    `1 answer of openai could not be parsed (newest: ${row.at}). To print: `,
  );
  expect((await runDoctorCommand(doctor, ["--bodies", "openai"])).text).toBe(
    `${row.at} malformed, prompt job-1\n{"new":"shape"}\n`,
  );
  expect((await runDoctorCommand(doctor, ["--bodies", "other"])).text).toBe(
    "No unparsed answers of other are stored.\n",
  );
  expect((await runDoctorCommand(doctor, ["--help"])).text).toContain("npx brand-visibility doctor");
});

test("the doctor reports the spent and reserved part of a cap, and providers stopped by a bill", async () => {
  await using w = await world();
  await using server = await startFakeProvider([{}]);
  const now = w.deps.now();
  const payer = { provider: "openai", organizationId: "any", analysisId: "any", day: now.slice(0, 10) };
  await w.store.write(async (db) => {
    await chargeSpend(db, payer, 1_250_000);
    await reserveSpend(db, { ...payer, jobId: "job-1", micros: 500_000 });
    await addProviderSpend(db, new Map([["openai", 1]]), now);
    await recordExcessBill(db, { provider: "openai", source: "ASSISTANT_A", micros: 750_000, at: now });
  });
  const env = {
    ...KEY,
    OPENAI_BASE_URL: server.url,
    OPENAI_PRICES: PRICES,
    OPENAI_MONTHLY_USD: "5",
    OPENAI_MOST_USD: "0.5",
  };
  const { text } = await runDoctorCommand(
    { environment: readConfig(env, DECLARED), declared: DECLARED, store: w.store },
    [],
  );
  expect(text.split("\n").filter((line) => line.startsWith("openai"))).toEqual([
    "openai billed $1 this month.",
    "openai: $1.25 of $5 is spent this month, and $0.5 is reserved for prompts in progress.",
    "openai billed more for ASSISTANT_A than its limit, 1 time, up to $0.75: no prompts are sent to it until OPENAI_MOST_USD is 0.75 or more.",
  ]);
});

const PRICES = JSON.stringify({ input_per_million: 1, output_per_million: 10 });
