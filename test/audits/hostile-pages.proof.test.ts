import { brotliCompressSync, constants, createBrotliCompress, createGzip, deflateSync, gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { chooseExtent } from "../support/proof.ts";
import { createCrawler, startRawSite } from "./crawler-scene.ts";
import {
  respondEncoded,
  HEAD,
  MAX_KEPT_BYTES,
  MEGABYTE,
  fetchOutcome,
  repeatResponse,
  respondWith,
  SHORT_LIMITS,
  SENT_BYTES,
  summarizeOutcome,
  type Responder,
} from "./raw-responses.ts";

const BOMB = Buffer.alloc(SENT_BYTES, "a");
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

test("keeps the beginning of an endless or oversized page, and stops reading", async () => {
  // Attack: a page that fills the memory of whoever reads it to its end.
  const piece = Buffer.alloc(64 * 1024, "<p>x");
  const endless = await fetchOutcome(repeatResponse(`${HEAD}\r\n`, piece));
  const large = await fetchOutcome(
    repeatResponse(`${HEAD}Content-Length: ${SENT_BYTES}\r\n\r\n`, piece, SENT_BYTES / piece.length),
  );
  const chunked = `10000\r\n${piece.toString()}\r\n`;
  const chunks = await fetchOutcome(repeatResponse(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, chunked));
  const kept = { bytes: MAX_KEPT_BYTES, isTruncated: true };
  expect([endless, large, chunks].map(summarizeOutcome)).toEqual([kept, kept, kept]);
  // Beyond the limit, only the buffers of both ends are filled.
  expect([endless, large, chunks].filter(({ sent }) => sent > MAX_KEPT_BYTES + 6.5 * MEGABYTE)).toEqual([]);
});

test("decompresses a bomb only up to the limit", async () => {
  // Attack: decompression bombs, nested ones, and an endless body that inflates to nothing.
  const outcomes = await Promise.all(
    [
      respondEncoded("gzip", gzipSync(BOMB)),
      respondEncoded("br", brotliCompressSync(BOMB, quickly)),
      respondEncoded("deflate", deflateSync(BOMB)),
      respondEncoded("gzip, gzip", gzipSync(gzipSync(BOMB))),
      respondEncoded("br, br, br, br", Buffer.from("x")),
      repeatResponse(`${HEAD}Content-Encoding: gzip\r\n\r\n`, Buffer.concat(Array(2000).fill(gzipSync("")))),
    ].map((speak) => fetchOutcome(speak)),
  );
  const kept = { bytes: MAX_KEPT_BYTES, isTruncated: true };
  const nothing = { bytes: 0, isTruncated: true };
  expect(outcomes.map(summarizeOutcome)).toEqual([kept, kept, kept, "content_encoding", "content_encoding", nothing]);
});

const packed =
  (coding: string, packer: ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress>): Responder =>
  (socket) => {
    socket.write(`${HEAD}Content-Encoding: ${coding}\r\n\r\n`);
    const source = new Readable({ read: () => void source.push(Buffer.alloc(64 * 1024, "a")) });
    socket.on("close", () => source.destroy());
    source.pipe(packer).pipe(socket);
  };

test("reads an endlessly compressed page up to the limit", async () => {
  // Attack: a stream that never stops inflating.
  const outcomes = [
    await fetchOutcome(packed("gzip", createGzip({ level: 1 }))),
    await fetchOutcome(packed("br", createBrotliCompress(quickly))),
  ];
  const kept = { bytes: MAX_KEPT_BYTES, isTruncated: true };
  expect(outcomes.map(summarizeOutcome)).toEqual([kept, kept]);
  expect(outcomes.every(({ sent }) => sent < MAX_KEPT_BYTES)).toBe(true);
});

test("decompresses a gzip file up to the caller's limit", async () => {
  // Attack: a sitemap that is a bomb, whatever its headers say, or a nested bomb.
  for (const [coding, body] of [
    ["", gzipSync(BOMB)],
    ["Content-Encoding: gzip\r\n", gzipSync(gzipSync(BOMB))],
  ] as const) {
    await using there = await startRawSite(respondWith(`HTTP/1.1 200 OK\r\n${coding}\r\n`, body));
    const text = await createCrawler(there).fetchText("http://site.example/sitemap.xml.gz", {
      limitBytes: MAX_KEPT_BYTES,
    });
    expect(text).toMatchObject({ kind: "text", bytes: MAX_KEPT_BYTES, isTruncated: true });
  }
});

test("stops reading endless or oversized headers", async () => {
  // Attack: headers, interim answers and trailers that never end.
  const outcomes = [
    await fetchOutcome(repeatResponse(HEAD, "X-More: and more\r\n".repeat(100))),
    await fetchOutcome(repeatResponse("HTTP/1.1 200 ", "OK".repeat(1000))),
    await fetchOutcome(respondWith(HEAD, `X-Large: ${"x".repeat(SENT_BYTES / 8)}\r\n\r\n`)),
    await fetchOutcome(repeatResponse("", "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".repeat(100))),
    await fetchOutcome(
      repeatResponse(`${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`, "X-Trailer: and more\r\n".repeat(100)),
    ),
    await fetchOutcome(
      repeatResponse(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1;`, "extension=and-more;".repeat(100)),
    ),
  ];
  expect(outcomes.map(summarizeOutcome)).toEqual([
    "headers_too_large",
    "headers_too_large",
    "headers_too_large",
    "response_invalid",
    "headers_too_large",
    "response_invalid",
  ]);
  expect(outcomes.filter(({ sent }) => sent > 6.5 * MEGABYTE)).toEqual([]);
});

const dripResponse =
  (head: string, drop: string): Responder =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(drop), 20);
    socket.on("close", () => clearInterval(timer));
  };

test("waits for silent and slow hosts only within the time limit", async () => {
  // Attack: a slow drip that occupies a crawl slot forever.
  const outcomes = await Promise.all([
    fetchOutcome(() => undefined, SHORT_LIMITS),
    // It ends with its second byte, however late that comes.
    fetchOutcome(dripResponse("", "H")),
    fetchOutcome(dripResponse(HEAD, "X: y\r\n"), SHORT_LIMITS),
    fetchOutcome(dripResponse(`${HEAD}\r\n`, "x"), SHORT_LIMITS),
    fetchOutcome(dripResponse(`${HEAD}Content-Encoding: gzip\r\n\r\n`, ""), SHORT_LIMITS),
    fetchOutcome(dripResponse(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, "1\r\nx\r\n"), SHORT_LIMITS),
  ]);
  expect(outcomes.map(summarizeOutcome)).toEqual([
    "timeout",
    "response_invalid",
    "timeout",
    "timeout",
    "timeout",
    "timeout",
  ]);
});

const redirecting =
  (location: (request: string) => string, status = 302): Responder =>
  (socket, request) =>
    void socket.end(
      `HTTP/1.1 ${status} Moved\r\nLocation: ${location(request)}\r\nContent-Length: 0\r\n\r\n`,
      "latin1",
    );

const next = (request: string) => `/${Number(/^GET \/(\d*)/.exec(request)?.[1] ?? 0) + 1}`;

test("follows no endless, cyclic, invalid or slow redirects", async () => {
  // Attack: a crawl that is led on for ever, each hop of it just in time.
  const slowly: Responder = (socket, request) =>
    void setTimeout(
      () => redirecting((asked) => `http://host${next(asked).slice(1)}.example${next(asked)}`)(socket, request),
      100,
    );
  const outcomes = [
    await fetchOutcome(redirecting(next)),
    await fetchOutcome(redirecting(() => "/")),
    await fetchOutcome(redirecting((request) => (request.startsWith("GET /b") ? "/" : "/b"), 301)),
    await fetchOutcome(redirecting(() => "http://[::1")),
    await fetchOutcome(redirecting(() => `/${"x".repeat(60_000)}`)),
    await fetchOutcome(redirecting(() => "ftp://site.example/", 308)),
    await fetchOutcome(slowly, SHORT_LIMITS),
  ];
  expect(outcomes.map(summarizeOutcome)).toEqual([
    "too_many_redirects",
    "redirect_loop",
    "redirect_loop",
    "redirect_invalid",
    "headers_too_large",
    "scheme_refused",
    "timeout",
  ]);
});

test("hostile pages leak nothing", { timeout: 120_000 }, async () => {
  // Attack: memory and connections leaked by each page.
  const speak = respondEncoded("gzip", gzipSync(BOMB));
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const after = async (count: number) => {
    for (let page = 0; page < count; page++) await fetchOutcome(speak);
    // Memory of the last connections is released some turns later.
    let least = Infinity;
    for (let turn = 0; turn < 10; turn++) {
      await setImmediate();
      collect();
      least = Math.min(least, process.memoryUsage().arrayBuffers);
    }
    return least;
  };
  const first = await after(3);
  expect((await after(chooseExtent(100, 12))) - first).toBeLessThan(4 * MAX_KEPT_BYTES);
});
