import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { boundedFetch, HttpError, request, withTimeLimit } from "../../src/outside/http.ts";
import { startServer, hangingListener, BOUNDS, TIMEOUT_MS } from "./http-cases.ts";

/** Failure of a request. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof HttpError ? error.failure : error;
}

test("time limits are only created by the helper that keeps its timer", () => {
  // Fault: on Node 20 a signal of AbortSignal.any with a time limit in it is collected as garbage,
  // and never aborts.
  const root = join(import.meta.dirname, "../..");
  const made = ["src", "auth", "tools", "core", "db"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file))
      .filter((file) => /AbortSignal\s*\.\s*(timeout|any)\s*\(/.test(readFileSync(join(root, file), "utf8"))),
  );
  expect(made).toEqual([]);
});

test("the time limit counts to the last byte of the answer, and ends the connection", async () => {
  await using server = await startServer((_request, response) => void response.writeHead(200).write("{"));
  expect(await failureOf(request(server.url, { ...BOUNDS, timeoutMs: TIMEOUT_MS }))).toEqual({ kind: "timeout" });
  await expect.poll(server.underWay).toBe(0);
});

test("abandons work that ignores its signal at the time limit", async () => {
  await expect(withTimeLimit(10, undefined, () => new Promise(() => undefined))).rejects.toThrow(
    "the time limit is over",
  );
});

test("the caller's signal ends a request, before and during it", async () => {
  await using server = await startServer(hangingListener);
  const leaving = new AbortController();
  const asking = failureOf(request(server.url, { ...BOUNDS, signal: leaving.signal }));
  await expect.poll(server.underWay).toBe(1);
  leaving.abort(new Error("the process stops"));
  expect(await asking).toEqual({ kind: "aborted" });
  await expect.poll(server.underWay).toBe(0);
  expect(await failureOf(request(server.url, { ...BOUNDS, signal: leaving.signal }))).toEqual({ kind: "aborted" });
  expect(server.underWay()).toBe(0);
});

test("cuts an endless response at the limit, and reads one of exactly that size", async () => {
  await using server = await startServer((incoming, response) => {
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

test("a redirect is a failure with its status, and is not followed", async () => {
  // Attack: a host that moves to an address of its choice, to which the key would go along.
  let moved = 0;
  await using elsewhere = await startServer((_request, response) => {
    moved++;
    response.end();
  });
  await using server = await startServer((_request, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/` }).end("moved");
  });
  const failure = await failureOf(request(server.url, { ...BOUNDS, headers: { authorization: "Bearer key" } }));
  expect(failure).toMatchObject({ kind: "status", status: 307, text: "moved", retryAfterMs: undefined });
  expect((failure as { headers: Headers }).headers.get("location")).toBe(`${elsewhere.url}/`);
  expect((await boundedFetch(BOUNDS)(server.url)).status).toBe(307);
  expect(moved).toBe(0);
});

test("a host that is not there, or breaks off, is unreachable", async () => {
  let url: string;
  {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { "content-length": "10" }).write("{");
      setTimeout(() => response.destroy(), 10);
    });
    ({ url } = server);
    expect(await failureOf(request(url, BOUNDS))).toEqual({ kind: "unreachable" });
  }
  expect(await failureOf(request(url, BOUNDS))).toEqual({ kind: "unreachable" });
});

test("sends JSON, and a rejection has its body and retry hint", async () => {
  const bodies: string[] = [];
  await using server = await startServer((incoming, response) => {
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
    retryAfterMs: 1500,
  });
  expect(await send("/taken")).toMatchObject({ status: 200, text: '{"ok":true}' });
  expect(bodies).toEqual(['application/json {"a":1}', 'application/json {"a":1}']);
});
