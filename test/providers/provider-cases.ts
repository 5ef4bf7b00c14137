import { describe, expect, test } from "vitest";
import type { Question } from "../../src/outside/sources/provider.ts";
import { askProvider, settleAnswer, withGarbageCollection, type Scene } from "./ask-provider.ts";
import type { Reply } from "./fake-provider.ts";

/** One prompt to a provider: the replies and the expected outcome. */
export interface Case {
  replies: readonly Reply[];
  question?: Partial<Question>;
  env?: Record<string, string>;
  /** The stored answer without its raw body; compared whole. */
  answer?: object | undefined;
  /** The expected failure. */
  failure?: object | undefined;
  /** The requests sent, in order. */
  sent?: readonly object[];
}

const HINT_429: readonly [string, Reply, number | undefined][] = [
  ["seconds", { headers: { "retry-after": "2" } }, 2000],
  ["milliseconds", { headers: { "retry-after-ms": "660" } }, 660],
  [
    "limits that are reset",
    { headers: { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m1s" } },
    61_000,
  ],
  [
    "google.rpc.RetryInfo",
    { body: { error: { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }] } } },
    34_000,
  ],
  ["no hint", {}, undefined],
];

const FAULTS: readonly [string, Reply, object][] = [
  ["401", { status: 401 }, { kind: "unauthorized", isRetryable: false }],
  ["402", { status: 402 }, { kind: "out_of_quota", isRetryable: false }],
  ["404", { status: 404 }, { kind: "rejected", isRetryable: false }],
  [
    "a redirect",
    { status: 302, headers: { location: "http://127.0.0.1:1/" } },
    { kind: "rejected", isRetryable: false },
  ],
  ["500", { status: 500 }, { kind: "unavailable", isRetryable: true }],
  ["503 with a wait", { status: 503, headers: { "retry-after": "7" } }, { kind: "unavailable", retryAfterMs: 7000 }],
  ["529", { status: 529 }, { kind: "unavailable", isRetryable: true }],
  ["a body that breaks off", { body: '{"a":', isCutOff: true }, { kind: "unavailable", isRetryable: true }],
  ["half a body", { body: '{"a":' }, { kind: "malformed", rawBody: '{"a":' }],
  [
    "a page",
    { headers: { "content-type": "text/html" }, body: "<html>hi</html>" },
    { kind: "malformed", rawBody: "<html>hi</html>" },
  ],
  ["a body of another shape", { body: {} }, { kind: "malformed", rawBody: "{}" }],
  ["nothing", { body: "" }, { kind: "malformed", rawBody: "" }],
  ["20 MB", { body: "x".repeat(20_000_000) }, { kind: "too_large", isRetryable: false }],
  ["an answer without end", { body: "x".repeat(100_000), isEndless: true }, { kind: "too_large", isRetryable: false }],
  ...HINT_429.map(([hint, reply, retryAfterMs]): [string, Reply, object] => [
    `429 with ${hint}`,
    { status: 429, ...reply },
    { kind: "rate_limited", isRetryable: true, retryAfterMs },
  ]),
];

/** Tests of a provider: the faults every provider must handle, and its own cases. */
export function testProvider(scene: Scene, cases: Record<string, Case>): void {
  describe(`provider ${scene.declared.name}`, () => {
    test.each(FAULTS)("reports %s as the right failure", async (_title, reply, failure) => {
      await expect(askProvider(scene, [reply])).rejects.toMatchObject({ name: "ProviderError", ...failure });
    });

    test("a server that never answers costs the time limit, whatever is collected as garbage", async () => {
      const env = { ...scene.env, [`${scene.prefix}_TIMEOUT_SECONDS`]: "0.15" };
      const asked = askProvider({ ...scene, env }, [{ hangs: true }]);
      await expect(withGarbageCollection(asked)).rejects.toMatchObject({ kind: "timeout", isRetryable: true });
    });

    test.each(Object.entries(cases))("%s", async (_title, { replies, question, env, answer, failure, sent = [] }) => {
      const changed = { env: { ...scene.env, ...env }, question: { ...scene.question, ...question } };
      const outcome = await settleAnswer(askProvider({ ...scene, ...changed }, replies));
      expect(outcome).toEqual(expectedOf({ answer, failure }));
      expect(outcome.sent?.slice(0, sent.length) ?? []).toMatchObject(sent);
    });
  });
}

function expectedOf({ answer, failure }: Pick<Case, "answer" | "failure">): object {
  const failed = { failure: expect.objectContaining({ name: "ProviderError", ...failure }) as unknown };
  const answered = { answer, rawBody: expect.stringMatching(/./u) as unknown, sent: expect.anything() as unknown };
  return failure ? failed : answered;
}
