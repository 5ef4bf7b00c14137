import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { respondEncoded, HEAD, fetchOutcome, respondWith, summarizeOutcome, type Responder } from "./raw-responses.ts";

const cut =
  (head: string, body: string | Buffer): Responder =>
  (socket) => {
    socket.write(Buffer.concat([Buffer.from(head), Buffer.from(body)]), () => socket.resetAndDestroy());
  };

test("skips invalid HTTP, wrong lengths and aborted responses with the reason, never with half a page", async () => {
  // Attack: responses that break a parser, and pages judged by a truncated part.
  const page = gzipSync("<h1>A page</h1>".repeat(100));
  const cases: [name: string, Responder, unknown][] = [
    ["nothing", respondWith(""), "connection_lost"],
    ["no HTTP", respondWith("SSH-2.0-OpenSSH_9.6\r\n"), "response_invalid"],
    ["another version", respondWith("HTTP/9.9 200 OK\r\n\r\n"), "response_invalid"],
    ["a length beyond the page", respondWith(`${HEAD}Content-Length: 1000\r\n\r\n<p>x`), "connection_lost"],
    [
      "a length before its end",
      respondWith(`${HEAD}Content-Length: 4\r\n\r\n<p>x and more`),
      { bytes: 4, isTruncated: false },
    ],
    ["two lengths", respondWith(`${HEAD}Content-Length: 4\r\nContent-Length: 9\r\n\r\n<p>x`), "response_invalid"],
    [
      "a length and chunks",
      respondWith(`${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n<p>x`),
      "response_invalid",
    ],
    ["a length below zero", respondWith(`${HEAD}Content-Length: -1\r\n\r\n<p>x`), "response_invalid"],
    ["a chunk without end", respondWith(`${HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\n<p>x`), "connection_lost"],
    ["a chunk of no size", respondWith(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n<p>x`), "response_invalid"],
    [
      "another protocol",
      respondWith("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      "response_invalid",
    ],
    ["half a gzip", respondEncoded("gzip", page.subarray(0, page.length / 2)), "content_encoding"],
    ["no gzip", respondEncoded("gzip", Buffer.from("<p>x")), "content_encoding"],
    ["no brotli", respondEncoded("br", Buffer.from("<p>x")), "content_encoding"],
    ["a coding that was not asked for", respondEncoded("compress", Buffer.from("<p>x")), "content_encoding"],
    ["an empty gzip", respondEncoded("gzip", Buffer.alloc(0)), { bytes: 0, isTruncated: false }],
    ["a broken connection", cut(`${HEAD}Content-Length: 1000\r\n\r\n`, "<p>x"), "connection_lost"],
    ["a broken gzip", cut(`${HEAD}Content-Encoding: gzip\r\nContent-Length: 9000\r\n\r\n`, page), "connection_lost"],
  ];
  const outcomes = await Promise.all(
    cases.map(async ([name, speak]) => [name, summarizeOutcome(await fetchOutcome(speak))]),
  );
  expect(outcomes).toEqual(cases.map(([name, , outcome]) => [name, outcome]));
});

test("decodes bytes of an unknown or wrong encoding as text", async () => {
  // Attack: bytes at which a decoder throws.
  const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 167 + 13) % 256));
  const charsets = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-kr",
    "iso-2022-jp",
    "utf-7",
    "x",
    '"',
  ];
  const outcomes = await Promise.all(
    charsets.map((charset) =>
      fetchOutcome(respondWith(`HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=${charset}\r\n\r\n`, noise)),
    ),
  );
  const pages = outcomes.map(({ outcome }) => (outcome.kind === "page" ? outcome.page : undefined));
  expect(pages.map((page) => [page?.encoding, page?.bytes, page?.html.isWellFormed()])).toEqual(
    [...charsets.slice(0, 8), "windows-1252", "windows-1252", "windows-1252"].map((encoding) => [encoding, 4096, true]),
  );
});
