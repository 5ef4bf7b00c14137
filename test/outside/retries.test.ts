import { expect, test } from "vitest";
import { retryWaitMs } from "../../src/outside/retry-hints.ts";
import { runWithRetries } from "../../src/outside/with-retries.ts";

const NOW = Date.parse("2026-11-21T08:00:00.000Z");

test.each([
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": " 120 " }, 120_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "Sat, 21 Nov 2026 08:00:30 GMT" }, 30_000],
  [{ "retry-after": "Sat, 21 Nov 2026 07:00:00 GMT" }, 0],
  [{ "retry-after": "86400" }, 900_000],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{}, undefined],
  [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
  [{ "retry-after-ms": "no number", "retry-after": "1" }, 1000],
  [{ "x-ratelimit-reset-requests": "120ms" }, 120],
  [{ "x-ratelimit-reset-tokens": "6m0s" }, 360_000],
  [{ "x-ratelimit-reset-tokens": "1m26.5s" }, 86_500],
  [{ "x-ratelimit-reset-requests": "1h0m0s" }, 900_000],
  [{ "x-ratelimit-reset": "7" }, 7000],
  [{ "x-ratelimit-reset": String(NOW / 1000 + 20) }, 20_000],
  [{ "x-ratelimit-reset-requests": "2026-11-21T08:00:09Z" }, 9000],
  [{ "x-ratelimit-reset-requests": "whenever" }, undefined],
  [
    {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "3s",
    },
    3000,
  ],
  [{ "x-ratelimit-remaining-requests": "4999", "x-ratelimit-reset-requests": "8.64s" }, undefined],
  [{ "retry-after": "1", "x-ratelimit-reset-tokens": "30s" }, 1000],
  [
    {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": "2026-11-21T08:00:50Z",
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": "2026-11-21T08:00:12Z",
    },
    12_000,
  ],
])("a refusal with %j asks for a wait of %s ms", (headers, expected) => {
  const given = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, value]));
  expect(retryWaitMs({ status: 429, headers: given, text: "" }, NOW)).toBe(expected);
});

const retryInfo = (retryDelay: unknown) => ({
  error: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    details: [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [] },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
    ],
  },
});

test.each([
  [retryInfo("34.074824224s"), 34_075],
  [[retryInfo("5s")], 5000],
  [retryInfo("86400s"), 900_000],
  [retryInfo(5), undefined],
  [{ error: "google.rpc.RetryInfo" }, undefined],
])("the body %j asks for a wait of %s ms", (body, expected) => {
  const wait = retryWaitMs({ status: 503, headers: new Headers(), text: JSON.stringify(body) }, NOW);
  expect(wait === undefined ? wait : Math.round(wait)).toBe(expected);
});

test("rate limit resets say nothing about other failures than 429", () => {
  const headers = new Headers({ "x-ratelimit-reset-requests": "1s" });
  expect(retryWaitMs({ status: 500, headers, text: "" }, NOW)).toBeUndefined();
});

class Busy extends Error {
  retryAfterMs = 30;
}

const findRetryHint = (error: unknown) => (error instanceof Busy ? error : undefined);

function policy(over: Partial<Parameters<typeof runWithRetries>[1]> = {}) {
  const signal = new AbortController().signal;
  return { maxAttempts: 3, backoffBaseMs: 1, maxWaitMs: 1000, signal, findRetryHint, ...over };
}

/** Work that fails so often before it succeeds, and when it was tried. */
function failing(times: number, error: Error = new Busy("busy")) {
  const tried: number[] = [];
  const work = () => {
    tried.push(performance.now());
    return tried.length <= times ? Promise.reject(error) : Promise.resolve("done");
  };
  return { tried, work };
}

test("retries after the requested wait, up to the maximum number", async () => {
  const twice = failing(2);
  expect(await runWithRetries(twice.work, policy())).toBe("done");
  const [first = 0, second = 0, third = 0] = twice.tried;
  // A timer may fire a millisecond early.
  expect([second - first >= 29, third - second >= 29]).toEqual([true, true]);
  const thrice = failing(3);
  await expect(runWithRetries(thrice.work, policy())).rejects.toThrow("busy");
  expect(thrice.tried).toHaveLength(3);
});

test("throws permanent failures immediately", async () => {
  const wrong = failing(1, new Error("wrong key"));
  await expect(runWithRetries(wrong.work, policy())).rejects.toThrow("wrong key");
  expect(wrong.tried).toHaveLength(1);
});

test("bounds waits, and a stop ends one with the preceding failure", async () => {
  const cut = failing(1);
  expect(
    await runWithRetries(cut.work, policy({ findRetryHint: () => ({ retryAfterMs: 600_000 }), maxWaitMs: 5 })),
  ).toBe("done");
  const leaving = new AbortController();
  const stopped = failing(9);
  const waiting = runWithRetries(
    stopped.work,
    policy({ signal: leaving.signal, findRetryHint: () => ({ retryAfterMs: 600_000 }), maxWaitMs: 600_000 }),
  );
  leaving.abort();
  await expect(waiting).rejects.toThrow("busy");
  expect(stopped.tried).toHaveLength(1);
});
