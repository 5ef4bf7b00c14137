import { expect, test } from "vitest";
import { recordExcessBill } from "../../db/sources/spend-accounts.ts";
import { runDoctorCommand } from "../../src/cli/doctor-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { dataforseoProvider } from "../../src/outside/sources/providers/dataforseo.ts";
import { simulated } from "../../src/outside/sources/simulated/simulated.ts";
import { doneReply, failedReply } from "../dataforseo/replies.ts";
import { startFakeProvider, type Reply } from "../providers/fake-provider.ts";
import { DATAFORSEO } from "../providers/scenes.ts";
import { world } from "../support/world.ts";

const DECLARED = [dataforseoProvider, simulated];
const BALANCE = doneReply({ money: { balance: 12.345 } });
const FACTS = "Tested with recorded answers of 2026-08-21.";

/** Output and status of the doctor about keyword data with this provider response. */
async function runDoctor(reply: Reply, settings: Record<string, string> = DATAFORSEO.env, isThere = true) {
  const server = await startFakeProvider([reply]);
  await using _closed = { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  if (!isThere) await server[Symbol.asyncDispose]();
  const environment = readConfig({ DATAFORSEO_BASE_URL: server.url, ...settings }, DECLARED);
  const doctor = { environment, declared: DECLARED, store: undefined };
  // Only a provider that hangs is worth a short wait: a busy machine needs longer for the others.
  const { text, ok } = await runDoctorCommand(doctor, ["--seconds", reply.hangs === true ? "0.2" : "10"]);
  const line = text.split("\n").find((one) => one.startsWith("Search volume of prompts"));
  return { said: line?.slice("Search volume of prompts".length).trim(), ok, asked: server.sent.length };
}

test("without configuration, the doctor names the settings for keyword data", async () => {
  const said = "none. To enable it, set DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD (DataForSEO).";
  expect(await runDoctor(BALANCE, {})).toEqual({ said, ok: true, asked: 0 });
});

test("if the provider responds, the doctor lists its keyword data, with one request", async () => {
  const ok = `ok. ${FACTS} 12.35 US dollars are left`;
  expect(await runDoctor(BALANCE)).toEqual({ said: `dataforseo, volume: ${ok}`, ok: true, asked: 1 });
  const both = await runDoctor(BALANCE, { ...DATAFORSEO.env, DATAFORSEO_KEYWORDS: "interest" });
  expect(both.said).toBe(`dataforseo, volume and interest: ${ok}`);
  const off = await runDoctor(BALANCE, { ...DATAFORSEO.env, DATAFORSEO_KEYWORDS: "off" });
  expect(off).toEqual({
    said: "none. DataForSEO is configured, but its keyword data is turned off.",
    ok: true,
    asked: 1,
  });
});

test("a wrong key, dead address or hanging provider fails the doctor, with the remedy", async () => {
  const wrong = await runDoctor({ ...failedReply(40100), status: 401 });
  expect(wrong).toEqual({
    said: `dataforseo, volume: unauthorized. The provider rejected the configured key (HTTP 401). Correct DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD. ${FACTS}`,
    ok: false,
    asked: 1,
  });
  const dead = await runDoctor(BALANCE, DATAFORSEO.env, false);
  expect([dead.ok, dead.said?.slice(0, 94)]).toEqual([
    false,
    "dataforseo, volume: unavailable. The provider could not be reached, or broke off its answer. C",
  ]);
  const hanging = await runDoctor({ hangs: true });
  expect([hanging.ok, hanging.said?.slice(0, 73)]).toEqual([
    false,
    "dataforseo, volume: timeout. The provider did not answer within 0.2 s. Ch",
  ]);
});

test("reports a clock that is minutes off, without failing", async () => {
  const date = new Date(Date.now() + 600_000).toUTCString();
  const { said, ok } = await runDoctor({ ...BALANCE, headers: { date } });
  expect(said).toMatch(
    /^dataforseo, volume: ok\. .+ The local clock is (?:599|600|601) s behind the provider's: synchronise it with a time server\.$/,
  );
  expect(ok).toBe(true);
});

test("a keyword bill stops its provider for sources, too, even if it serves none", async () => {
  await using w = await world();
  await using server = await startFakeProvider([BALANCE]);
  const at = w.deps.now();
  await w.store.write((db) => recordExcessBill(db, { provider: "dataforseo", source: "volume", micros: 120_000, at }));
  const notesWith = async (settings: Record<string, string>) => {
    const env = { DATAFORSEO_BASE_URL: server.url, ...DATAFORSEO.env, ...settings };
    const doctor = { environment: readConfig(env, DECLARED), declared: DECLARED, store: w.store };
    const { text } = await runDoctorCommand(doctor, []);
    return text.split("\n").filter((line) => line.startsWith("dataforseo billed"));
  };
  const said = "dataforseo billed more for the volume of prompts than its limit, 1 time, up to $0.12";
  const stopped = `${said}: no prompts and no keyword data requests are sent to it until DATAFORSEO_MOST_USD is 0.12 or more.`;
  expect(await notesWith({})).toEqual([stopped]);
  const others = ["SEARCH_A", "SEARCH_A_AIO", "SEARCH_B", "SEARCH_B_AIO", "SEARCH_B_AI_MODE"];
  expect(await notesWith(Object.fromEntries(others.map((one) => [`SOURCE_${one}`, "simulated"])))).toEqual([stopped]);
  expect(await notesWith({ DATAFORSEO_MOST_USD: "0.12" })).toEqual([`${said}.`]);
});
