import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { html, startPageSite } from "./page-site.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test("decodes a page with the encoding that browsers choose", async () => {
  const cases: [type: string, body: Buffer, encoding: string, text: string][] = [
    ["text/html", Buffer.from("<p>Größe €"), "utf-8", "<p>Größe €"],
    ["text/html", bytes("<p>Gr\xf6\xdfe \x80 \x93x\x94"), "windows-1252", "<p>Größe € “x”"],
    ["text/html; charset=iso-8859-1", bytes("\x80"), "windows-1252", "€"],
    ["text/html; charset=ISO-8859-2", bytes("\xb1"), "iso-8859-2", "ą"],
    ['text/html; charset="shift_jis"', bytes("\x83e\x83X\x83g"), "shift_jis", "テスト"],
    ["text/html; charset=iso-8859-1", Buffer.from("\uFEFFGröße"), "utf-8", "Größe"],
    ["text/html", Buffer.from("\uFEFFGr", "utf16le"), "utf-16le", "Gr"],
    ["text/html", bytes('<meta charset="windows-1251"><p>\xcf'), "windows-1251", '<meta charset="windows-1251"><p>П'],
    ["text/html", bytes("<!-- <meta charset=koi8-r> --><p>\xe9"), "windows-1252", "<!-- <meta charset=koi8-r> --><p>é"],
    [
      "text/html",
      bytes("<meta http-equiv=x content='text/html; charset=euc-kr'>\xb0\xa1"),
      "euc-kr",
      "<meta http-equiv=x content='text/html; charset=euc-kr'>가",
    ],
    [
      "application/xhtml+xml",
      bytes('<?xml version="1.0" encoding="koi8-r"?>\xc1'),
      "koi8-r",
      '<?xml version="1.0" encoding="koi8-r"?>а',
    ],
    ["text/html", bytes("<meta charset=utf-16><p>x"), "utf-8", "<meta charset=utf-16><p>x"],
    ["text/html; charset=nonsense", Buffer.from("ö"), "utf-8", "ö"],
    ["text/html; charset=utf-8", bytes("a\xffb"), "utf-8", "a\uFFFDb"],
  ];
  await using s = await startPageSite(
    Object.fromEntries(cases.map(([type, body], at) => [`/${at}`, html(body, { "content-type": type })])),
  );
  const outcomes = await Promise.all(cases.map((_, at) => s.crawler.fetchPage(`http://site.example/${at}`)));
  expect(outcomes.map((outcome) => outcome.kind === "page" && [outcome.page.encoding, outcome.page.html])).toEqual(
    cases.map(([, , encoding, text]) => [encoding, text]),
  );
});

test("compressed pages are unpacked, by whatever name servers call it", async () => {
  const page = Buffer.from("<p>A page</p>".repeat(50));
  const packed: Record<string, [coding: string, Buffer]> = {
    "/gzip": ["gzip", gzipSync(page)],
    "/x-gzip": ["X-GZIP", gzipSync(page)],
    "/br": ["br", brotliCompressSync(page)],
    "/deflate": ["deflate", deflateSync(page)],
    "/raw": ["deflate", deflateRawSync(page)],
    "/identity": ["identity", page],
  };
  await using s = await startPageSite(
    Object.fromEntries(
      Object.entries(packed).map(([path, [coding, body]]) => [path, html(body, { "content-encoding": coding })]),
    ),
  );
  for (const path of Object.keys(packed)) {
    const outcome = await s.crawler.fetchPage(`http://site.example${path}`);
    expect([path, outcome.kind === "page" && outcome.page.html === page.toString()]).toEqual([path, true]);
  }
  expect(s.requests[0]?.headers["accept-encoding"]).toMatch(/^gzip, deflate, br(, zstd)?$/);
});
