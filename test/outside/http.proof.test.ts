import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { boundedFetch, request } from "../../src/outside/http.ts";
import { createModelScorer } from "../../src/outside/judge/model-scorer.ts";
import { askPartner } from "../../src/outside/partner/partner-request.ts";
import { readAccounts } from "../../src/outside/platforms/read-accounts.ts";
import { askProvider } from "../../src/outside/sources/provider-request.ts";
import { startServer, hangingListener, BOUNDS, TIMEOUT_MS } from "./http-cases.ts";

/** Collects garbage again and again while `work` runs. */
async function underPressure<T>(work: Promise<T>): Promise<T> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const collecting = setInterval(collect, 50);
  return work.finally(() => clearInterval(collecting));
}

const forever = () => new AbortController().signal;

const CLIENTS: [string, (url: string) => Promise<unknown>, unknown][] = [
  ["a request", (url) => request(url, { ...BOUNDS, timeoutMs: TIMEOUT_MS, signal: forever() }), { name: "HttpError" }],
  [
    "a library's fetch with a signal of its own",
    (url) => boundedFetch({ ...BOUNDS, timeoutMs: TIMEOUT_MS })(url, { signal: AbortSignal.any([forever()]) }),
    { name: "TimeoutError" },
  ],
  [
    "a question to a provider",
    (url) => askProvider(url, { json: {}, timeoutMs: TIMEOUT_MS, signal: forever() }),
    { message: "The provider did not answer in time.", isRetryable: true },
  ],
  [
    "a request to the partner",
    (url) =>
      askPartner(
        { baseUrl: url, timeoutMs: TIMEOUT_MS, maxAttempts: 1, signal: forever() },
        { method: "GET", path: "/", token: "t" },
      ),
    { kind: "unavailable", message: "The partner did not answer in time." },
  ],
  [
    "the accounts of a platform",
    (url) =>
      readAccounts(
        {
          accounts_endpoint: url,
          timeout_seconds: TIMEOUT_MS / 1000,
          client_id: "c",
          client_authentication: "post",
          scopes: [],
        },
        "t",
      ),
    { kind: "unavailable" },
  ],
  [
    "a judgement",
    (url) =>
      createModelScorer({ baseUrl: url, apiKey: undefined, model: "m", timeoutMs: TIMEOUT_MS, backoffBaseMs: 1 }).score(
        { type: "text", mediaType: "text/plain", text: "Text", bytes: undefined, sizeBytes: 4 },
        { category: "shoes", attributes: [], brandNames: [], language: "en" },
        { signal: forever() },
      ),
    { name: "ScorerError", message: "The provider did not answer in time." },
  ],
];

test.each(CLIENTS)(
  "a server that never answers costs %s its time limit, whatever is collected as garbage",
  async (_name, ask, error) => {
    await using server = await startServer(hangingListener);
    await expect(underPressure(Promise.race([ask(server.url), sleep(20_000, "still waiting")]))).rejects.toMatchObject(
      error as object,
    );
  },
);
