import { readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { boundedFetch, HttpError, request, withTimeLimit } from "../../src/outside/http.ts";
import { modelScorer } from "../../src/outside/judge/model-scorer.ts";
import { askPartner } from "../../src/outside/partner/partner-request.ts";
import { readAccounts } from "../../src/outside/platforms/read-accounts.ts";
import { askProvider } from "../../src/outside/sources/provider-request.ts";

/** A small server on loopback. */
async function serving(answer: RequestListener) {
  let open = 0;
  const server = createServer((incoming, response) => {
    open++;
    response.on("close", () => open--);
    answer(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    underWay: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hanging: RequestListener = () => undefined;
const BOUNDS = { timeoutMs: 2000, limitBytes: 1000 };

/** What the request failed with. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof HttpError ? error.failure : error;
}

/** Collects garbage again and again while `work` runs. */
async function underPressure<T>(work: Promise<T>): Promise<T> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const collecting = setInterval(collect, 50);
  return work.finally(() => clearInterval(collecting));
}

test("no time limit is made but by the helper whose timer is held", () => {
  // Fault: on Node 20 a signal of AbortSignal.any with a time limit in it is collected as garbage, and never aborts.
  const root = join(import.meta.dirname, "../..");
  const made = ["src", "auth", "tools", "core", "db"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file))
      .filter((file) => /AbortSignal\s*\.\s*(timeout|any)\s*\(/.test(readFileSync(join(root, file), "utf8"))),
  );
  expect(made).toEqual([]);
});

const forever = () => new AbortController().signal;
const TIMEOUT = 150;

const CLIENTS: [string, (url: string) => Promise<unknown>, unknown][] = [
  ["a request", (url) => request(url, { ...BOUNDS, timeoutMs: TIMEOUT, signal: forever() }), { name: "HttpError" }],
  [
    "a library's fetch with a signal of its own",
    (url) => boundedFetch({ ...BOUNDS, timeoutMs: TIMEOUT })(url, { signal: AbortSignal.any([forever()]) }),
    { name: "TimeoutError" },
  ],
  [
    "a question to a provider",
    (url) => askProvider(url, { json: {}, timeoutMs: TIMEOUT, signal: forever() }),
    { message: "The provider did not answer in time.", retryable: true },
  ],
  [
    "a request to the partner",
    (url) =>
      askPartner(
        { baseUrl: url, timeoutMs: TIMEOUT, attempts: 1, signal: forever() },
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
          timeout_seconds: TIMEOUT / 1000,
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
      modelScorer({ baseUrl: url, apiKey: undefined, model: "m", timeoutMs: TIMEOUT, backoffBaseMs: 1 }).score(
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
    await using server = await serving(hanging);
    await expect(underPressure(Promise.race([ask(server.url), sleep(20_000, "still waiting")]))).rejects.toMatchObject(
      error as object,
    );
  },
);

test("the time limit counts to the last byte of the answer, and ends the connection", async () => {
  await using server = await serving((_request, response) => void response.writeHead(200).write("{"));
  expect(await failureOf(request(server.url, { ...BOUNDS, timeoutMs: TIMEOUT }))).toEqual({ kind: "timeout" });
  await expect.poll(server.underWay).toBe(0);
});

test("work that ignores its signal is left behind when the time is over", async () => {
  await expect(withTimeLimit(10, undefined, () => new Promise(() => undefined))).rejects.toThrow(
    "the time limit is over",
  );
});

test("the caller's signal ends a request, before and while it is under way", async () => {
  await using server = await serving(hanging);
  const leaving = new AbortController();
  const asking = failureOf(request(server.url, { ...BOUNDS, signal: leaving.signal }));
  await expect.poll(server.underWay).toBe(1);
  leaving.abort(new Error("the process stops"));
  expect(await asking).toEqual({ kind: "aborted" });
  await expect.poll(server.underWay).toBe(0);
  expect(await failureOf(request(server.url, { ...BOUNDS, signal: leaving.signal }))).toEqual({ kind: "aborted" });
  expect(server.underWay()).toBe(0);
});

test("an answer without end is cut off at the bound, and one of exactly that size is read", async () => {
  await using server = await serving((incoming, response) => {
    if (incoming.url === "/whole") {
      response.end("x".repeat(BOUNDS.limitBytes));
      return;
    }
    const pour = () => void (response.write("x".repeat(700)) && setImmediate(pour));
    response.on("drain", pour);
    pour();
  });
  expect(await failureOf(request(server.url, BOUNDS))).toEqual({ kind: "too_large" });
  await expect.poll(server.underWay).toBe(0);
  expect((await request(`${server.url}/whole`, BOUNDS)).text).toHaveLength(BOUNDS.limitBytes);
});

test("a redirect is a failure with its status, and nothing is sent to where it leads", async () => {
  // Attack: a host that moves to an address of its choice, to which the key would go along.
  let moved = 0;
  await using elsewhere = await serving((_request, response) => {
    moved++;
    response.end();
  });
  await using server = await serving((_request, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/` }).end("moved");
  });
  const failure = await failureOf(request(server.url, { ...BOUNDS, headers: { authorization: "Bearer key" } }));
  expect(failure).toMatchObject({ kind: "status", status: 307, text: "moved", waitMs: undefined });
  expect((failure as { headers: Headers }).headers.get("location")).toBe(`${elsewhere.url}/`);
  expect((await boundedFetch(BOUNDS)(server.url)).status).toBe(307);
  expect(moved).toBe(0);
});

test("a host that is not there, or breaks off, is unreachable", async () => {
  let url: string;
  {
    await using server = await serving((_request, response) => {
      response.writeHead(200, { "content-length": "10" }).write("{");
      setTimeout(() => response.destroy(), 10);
    });
    ({ url } = server);
    expect(await failureOf(request(url, BOUNDS))).toEqual({ kind: "unreachable" });
  }
  expect(await failureOf(request(url, BOUNDS))).toEqual({ kind: "unreachable" });
});

test("what is sent is JSON, and a refusal comes with its body and the wait that it asks for", async () => {
  const bodies: string[] = [];
  await using server = await serving((incoming, response) => {
    incoming
      .setEncoding("utf8")
      .on("data", (text: string) => bodies.push(`${incoming.headers["content-type"]} ${text}`));
    incoming.on("end", () => {
      if (incoming.url === "/") response.writeHead(429, { "retry-after-ms": "1500" }).end('{"error":"slow down"}');
      else response.end('{"ok":true}');
    });
  });
  const send = (path: string) => request(server.url + path, { ...BOUNDS, method: "POST", json: { a: 1 } });
  expect(await failureOf(send("/"))).toMatchObject({
    kind: "status",
    status: 429,
    text: '{"error":"slow down"}',
    waitMs: 1500,
  });
  expect(await send("/taken")).toMatchObject({ status: 200, text: '{"ok":true}' });
  expect(bodies).toEqual(['application/json {"a":1}', 'application/json {"a":1}']);
});
