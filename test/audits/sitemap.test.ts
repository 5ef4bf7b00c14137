import { describe, expect, test } from "vitest";
import { parseSitemap } from "../../core/audits/site-files/sitemap.ts";

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

test("parses addresses and dates, and ignores extensions", () => {
  const text = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<urlset ${NAMESPACE} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc> https://Shop.test/a?x=1&amp;y=2#part </loc><lastmod>2026-05-17</lastmod><priority>0.5</priority>
    <image:image><image:loc>https://shop.test/a.png</image:loc></image:image></url>
  <url><lastmod>2026-05-17T10:00:00.5+02:00</lastmod><loc><![CDATA[https://shop.test/b?x=1&y=2]]></loc></url>
  <url><loc>https://shop.test/%C3%BC&#x2F;&#99;</loc></url>
</urlset>`;
  expect(parseSitemap(text)).toEqual({
    kind: "urlset",
    entries: [
      { url: "https://shop.test/a?x=1&y=2", lastmod: "2026-05-17" },
      { url: "https://shop.test/b?x=1&y=2", lastmod: "2026-05-17T10:00:00.5+02:00" },
      { url: "https://shop.test/%C3%BC/c", lastmod: null },
    ],
    faults: [],
  });
});

test("reads an index, with whatever prefix its namespace has", () => {
  const text = `<s:sitemapindex xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:sitemap><s:loc>https://shop.test/1.xml.gz</s:loc>
    <s:lastmod>2026</s:lastmod></s:sitemap><s:sitemap><loc>https://shop.test/no.xml</loc></s:sitemap></s:sitemapindex>`;
  expect(parseSitemap(text)).toEqual({
    kind: "index",
    entries: [{ url: "https://shop.test/1.xml.gz", lastmod: "2026" }],
    faults: [],
  });
});

test("parses a text sitemap, and reports lines that are no addresses", () => {
  expect(parseSitemap("https://shop.test/a\r\n\n  http://shop.test/b\nshop.test/c\nftp://shop.test/d")).toEqual({
    kind: "text",
    entries: [
      { url: "https://shop.test/a", lastmod: null },
      { url: "http://shop.test/b", lastmod: null },
    ],
    faults: [
      {
        kind: "not_an_address",
        count: 2,
        line: 4,
        message: "2 entries are not an absolute address of http or https.",
      },
    ],
  });
});

function xml(body: string): string {
  return `<urlset ${NAMESPACE}>\n${body}`;
}

function url(path: string): string {
  return `<url><loc>https://shop.test/${path}</loc></url>\n`;
}

function kindsAndUrls(text: string) {
  const { kind, entries, faults } = parseSitemap(text);
  return { kind, urls: entries.map((entry) => entry.url), faults: faults.map((fault) => [fault.kind, fault.line]) };
}

test("a broken sitemap gives its complete entries, with faults and lines", () => {
  const [A, B] = ["https://shop.test/a", "https://shop.test/b"];
  const cases: Record<string, [text: string, expected: ReturnType<typeof kindsAndUrls>]> = {
    "cut in an address": [
      `${xml(url("a"))}<url><loc>https://shop.test/b`,
      { kind: "urlset", urls: [A], faults: [["not_well_formed", 3]] },
    ],
    "cut behind an address": [
      xml(url("a") + url("b").replace("</url>", "")),
      { kind: "urlset", urls: [A, B], faults: [["not_well_formed", 4]] },
    ],
    "an entry that is not closed": [
      `${xml(url("a").replace("</url>", "") + url("b"))}</urlset>`,
      { kind: "urlset", urls: [A, B], faults: [["not_well_formed", 3]] },
    ],
    "an ampersand of its own": [
      `${xml(url("a") + url("b?x=1&y=2"))}</urlset>`,
      { kind: "urlset", urls: [A, `${B}?x=1&y=2`], faults: [["bare_ampersand", 3]] },
    ],
    "addresses and dates that are none": [
      `${xml(`<url><loc>/a</loc></url><url><loc></loc></url>\n<url><loc>${B}</loc><lastmod>17.05.2026</lastmod></url>`)}</urlset>`,
      {
        kind: "urlset",
        urls: [B],
        faults: [
          ["not_an_address", 2],
          ["not_a_date", 3],
        ],
      },
    ],
    "an address that is too long": [
      `${xml(url("a") + url("b".repeat(3000)))}</urlset>`,
      { kind: "urlset", urls: [A], faults: [["address_too_long", 3]] },
    ],
    "no address": [`${xml("")}</urlset>`, { kind: "urlset", urls: [], faults: [["no_addresses", 1]] }],
    "a page": [
      "<!doctype html>\n<html><body>",
      {
        kind: null,
        urls: [],
        faults: [
          ["document_type", 1],
          ["other_document", 2],
        ],
      },
    ],
    "a feed": ["<rss><channel><item/></channel></rss>", { kind: null, urls: [], faults: [["other_document", 1]] }],
    "a sentence": [
      "Not found",
      {
        kind: null,
        urls: [],
        faults: [
          ["not_an_address", 1],
          ["other_document", 1],
        ],
      },
    ],
    nothing: [" \n", { kind: null, urls: [], faults: [["empty", 1]] }],
  };
  const got = Object.fromEntries(Object.entries(cases).map(([name, [text]]) => [name, kindsAndUrls(text)]));
  expect(got).toEqual(Object.fromEntries(Object.entries(cases).map(([name, [, expected]]) => [name, expected])));
});

/** Stops entities that expand into each other ("billion laughs") or name files (XXE). */
test("entities of a document type are neither expanded nor fetched", () => {
  const text = `<!DOCTYPE urlset [
    <!ENTITY a "https://shop.test/">
    <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
    <!ENTITY c SYSTEM "file:///etc/passwd">
  ]>
  <urlset ${NAMESPACE}><url><loc>&b;</loc></url><url><loc>&c;</loc></url>${url("a")}</urlset>`;
  expect(kindsAndUrls(text)).toEqual({
    kind: "urlset",
    urls: ["https://shop.test/a"],
    faults: [
      ["document_type", 1],
      ["not_an_address", 6],
      ["bare_ampersand", 3],
    ],
  });
});

test("reports the limits, and that the rest was not read", () => {
  const text = `${xml(url("a") + url("b") + url("c"))}</urlset>`;
  expect([
    parseSitemap(text, { maxAddresses: 2, maxCharacters: 1000 }),
    parseSitemap(text, { maxAddresses: 3, maxCharacters: 1000 }).faults,
    parseSitemap(text, { maxAddresses: 3, maxCharacters: 120 }).faults.map((fault) => fault.kind),
    parseSitemap("https://a.test/\nhttps://b.test/\n\n", { maxAddresses: 1, maxCharacters: 1000 }).faults.map(
      (fault) => fault.kind,
    ),
  ]).toEqual([
    {
      kind: "urlset",
      entries: [
        { url: "https://shop.test/a", lastmod: null },
        { url: "https://shop.test/b", lastmod: null },
      ],
      faults: [
        {
          kind: "too_many_addresses",
          count: 1,
          line: 4,
          message: "The sitemap lists more addresses than the limit; the rest was not read.",
        },
      ],
    },
    [],
    ["too_large", "not_well_formed"],
    ["too_many_addresses"],
  ]);
});

/** Guards against sitemaps made to exhaust their parser. */
describe("hostile files", () => {
  test.each([
    ["a million addresses", xml(url("a").repeat(1_000_000)), 50_000],
    ["a million lines", "https://shop.test/a\n".repeat(1_000_000), 50_000],
    ["elements that nest", xml("<url>".repeat(2_000_000)), 0],
    ["elements that nest and end as another", xml("<b>".repeat(1_000_000) + "</c>".repeat(1_000_000)), 0],
    ["elements that end and do not begin", xml("</a>".repeat(2_000_000)), 0],
    ["many attributes", xml(`<url ${"a ".repeat(2_000_000)}>`), 0],
    ["one address without end", xml(`<url><loc>https://shop.test/${"a".repeat(10_000_000)}`), 0],
    ["ampersands", xml(`<url><loc>${"&".repeat(5_000_000)}</loc></url>`), 0],
    ["one line", "a".repeat(10_000_000), 0],
  ])("%s", { timeout: 5000 }, (_, text, addresses) => {
    expect(parseSitemap(text).entries.length).toBe(addresses);
  });
});
