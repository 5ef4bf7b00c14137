import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { FetchOptions, PageOutcome } from "../../core/audits/crawler.ts";
import { PACKAGE } from "../../src/process/package.ts";
import { createCrawler, startSite } from "./crawler-scene.ts";
import { html, startPageSite, redirectTo } from "./page-site.ts";

/** Reason for a skipped page, else the kind of result. */
const kindOf = (outcome: PageOutcome) => (outcome.kind === "skipped" ? outcome.reason : outcome.kind);

/** Outcome without volatile fields. */
function withoutDuration(outcome: PageOutcome): unknown {
  if (outcome.kind !== "page") return outcome;
  const { responseMs, ...page } = outcome.page;
  return { ...outcome, page: { ...page, answered: Number.isInteger(responseMs) && responseMs >= 0 } };
}

const NO_HEADERS = {
  contentType: null,
  xRobotsTag: [],
  link: [],
  contentLanguage: null,
  cacheControl: null,
  etag: null,
  lastModified: null,
};

test("a page comes with its address, redirects, headers and text", async () => {
  await using s = await startPageSite({
    "/old": redirectTo("/older?x=1#part"),
    "/older?x=1": redirectTo("http://www.site.example/new", 308),
    "/new": html("<h1>Größe</h1>", {
      "x-robots-tag": ["noindex", "otherbot: nosnippet"],
      link: ['<https://site.example/>; rel="canonical"'],
      "content-language": "de",
      "cache-control": "max-age=60",
      etag: '"v1"',
      "last-modified": "Mon, 02 Mar 2026 10:00:00 GMT",
      "retry-after": "7",
    }),
  });
  expect(withoutDuration(await s.crawler.fetchPage("http://site.example/old#top"))).toEqual({
    kind: "page",
    retryAfterMs: 7000,
    page: {
      url: "http://site.example/old#top",
      finalUrl: "http://www.site.example/new",
      redirects: [
        { url: "http://site.example/old", status: 301, to: "http://site.example/older?x=1#part" },
        { url: "http://site.example/older?x=1", status: 308, to: "http://www.site.example/new" },
      ],
      status: 200,
      headers: {
        contentType: "text/html; charset=utf-8",
        xRobotsTag: ["noindex", "otherbot: nosnippet"],
        link: ['<https://site.example/>; rel="canonical"'],
        contentLanguage: "de",
        cacheControl: "max-age=60",
        etag: '"v1"',
        lastModified: "Mon, 02 Mar 2026 10:00:00 GMT",
      },
      bytes: 16,
      html: "<h1>Größe</h1>",
      encoding: "utf-8",
      isTruncated: false,
      answered: true,
    },
  });
});

test("the crawler identifies itself with an address that explains it, or as the caller wants", async () => {
  await using s = await startPageSite({ "/": html("x") });
  await s.crawler.fetchPage("http://site.example/");
  await s.crawler.fetchPage("http://site.example/", { userAgent: "GPTBot/1.2" });
  const own = `BrandVisibilityBot/${PACKAGE.version} (+https://visibility.example/docs/crawler)`;
  expect([s.crawler.userAgent, ...s.requests.map(({ headers }) => headers["user-agent"])]).toEqual([
    own,
    own,
    "GPTBot/1.2",
  ]);
  expect(s.requests[0]?.headers).toMatchObject({ host: "site.example", connection: "close" });
  expect(Object.keys(s.requests[0]?.headers ?? {})).not.toContain("cookie");
});

test("reports an unchanged page as unchanged, with its validators", async () => {
  await using s = await startPageSite({
    "/": (response, { headers }) =>
      headers["if-none-match"] === 'W/"v1"' && headers["if-modified-since"] === "Mon, 02 Mar 2026 10:00:00 GMT"
        ? response.writeHead(304, { etag: 'W/"v1"' }).end()
        : html("new")(response),
  });
  const kindWith = async (options: FetchOptions) => (await s.crawler.fetchPage("http://site.example/", options)).kind;
  const lastModified = "Mon, 02 Mar 2026 10:00:00 GMT";
  expect(await s.crawler.fetchPage("http://site.example/", { etag: 'W/"v1"', lastModified })).toEqual({
    kind: "not_modified",
    url: "http://site.example/",
    finalUrl: "http://site.example/",
    redirects: [],
    status: 304,
    headers: { ...NO_HEADERS, etag: 'W/"v1"' },
    responseMs: expect.any(Number),
    retryAfterMs: undefined,
  });
  expect(await kindWith({ etag: '"v2"', lastModified })).toBe("page");
  // A line break in a validator would inject a header.
  expect(await kindWith({ etag: '"v1"\r\nx-evil: 1', lastModified: null })).toBe("page");
  expect(s.requests.map(({ headers }) => headers["x-evil"])).toEqual([undefined, undefined, undefined]);
});

const typed =
  (type: string | undefined, body = "") =>
  (response: ServerResponse) =>
    response.writeHead(200, type === undefined ? {} : { "content-type": type }).end(body);

test("skips responses that are no HTML with the reason, keeping headers; without a content type, the text decides", async () => {
  await using s = await startPageSite({
    "/pdf": typed("application/pdf", "%PDF-1.7"),
    "/text": typed("text/plain; charset=utf-8", "<html>"),
    "/xhtml": typed("application/xhtml+xml", "<html/>"),
    "/upper": typed("TEXT/HTML;charset=UTF-8", "<p>"),
    "/untyped": typed(undefined, "\uFEFF <!-- a page --> <!DOCTYPE html><p>x"),
    "/untyped-text": typed(undefined, "Some text"),
    "/empty": typed("text/html", ""),
  });
  const kinds: unknown[] = [];
  for (const path of ["pdf", "text", "xhtml", "upper", "untyped", "untyped-text", "empty"]) {
    const outcome = await s.crawler.fetchPage(`http://site.example/${path}`);
    kinds.push([path, outcome.kind === "skipped" ? outcome.reason : outcome.kind]);
  }
  expect(Object.fromEntries(kinds as [string, string][])).toEqual({
    pdf: "not_html",
    text: "not_html",
    xhtml: "page",
    upper: "page",
    untyped: "page",
    "untyped-text": "not_html",
    empty: "page",
  });
  expect(await s.crawler.fetchPage("http://site.example/pdf")).toMatchObject({
    kind: "skipped",
    message: "The answer is not HTML.",
    answer: { status: 200, html: "", headers: { ...NO_HEADERS, contentType: "application/pdf" } },
  });
});

test.each([
  ["<!DOCTYPE html><p>", "page"],
  ["\uFEFF\n<HTML lang=en>", "page"],
  ["<!-- a --><!---->\n<?xml version='1.0'?> <html>", "page"],
  [`<!-- ${"licence ".repeat(1000)}--><head>`, "page"],
  ["<!---->".repeat(45) + "<meta charset=utf-8>", "page"],
  ["<p>A paragraph", "not_html"],
  ["<headline>", "not_html"],
  ["<!-- open <html>", "not_html"],
  ["<!-- a --> b --><html>", "not_html"],
  ["<?xml version='1.0'", "not_html"],
  ["", "page"],
])("a body without Content-Type that begins with %j: %s", async (body, expected) => {
  await using s = await startPageSite({ "/": typed(undefined, body) });
  expect(kindOf(await s.crawler.fetchPage("http://site.example/"))).toBe(expected);
});

// Attack: a page without Content-Type that a backtracking expression reads for minutes (316 bytes)
// or quadratically.
test.each(["<!---->", "<!--", "<!-- ", "<?xml x>", "<?xml", "<!----><?xml>", "-->", " ", "\uFEFF", "<!doctype "])(
  "a body without Content-Type of repeated %j is skipped in linear time",
  async (piece) => {
    const bodies = [`${piece.repeat(45)}x`, `${piece.repeat(100_000)}x`];
    await using s = await startPageSite({ "/0": typed(undefined, bodies[0]), "/1": typed(undefined, bodies[1]) });
    for (const path of ["/0", "/1"])
      expect(kindOf(await s.crawler.fetchPage(`http://site.example${path}`))).toBe("not_html");
  },
);

test("an error response is a page without text, with the host's retry hint", async () => {
  await using s = await startPageSite({
    "/busy": (response) => response.writeHead(503, { "retry-after": "120", "content-type": "text/plain" }).end("busy"),
    "/lost": (response) => response.writeHead(302).end(),
  });
  const outcomes = await Promise.all(
    ["busy", "gone", "lost"].map((path) => s.crawler.fetchPage(`http://site.example/${path}`)),
  );
  expect(
    outcomes.map(
      (outcome) => outcome.kind === "page" && [outcome.page.status, outcome.page.html, outcome.retryAfterMs],
    ),
  ).toEqual([
    [503, "", 120_000],
    [404, "", undefined],
    [302, "", undefined],
  ]);
});

test("follows up to five redirects, and only those the caller allows", async () => {
  const hops = Object.fromEntries([1, 2, 3, 4, 5, 6].map((hop) => [`/${hop}`, redirectTo(`/${hop + 1}`, 302)]));
  await using s = await startPageSite({
    ...hops,
    "/7": html("end"),
    "/away": redirectTo("http://other.example/private"),
  });
  const asked: string[] = [];
  const isAllowedRedirect = (url: string) => {
    asked.push(url);
    return !url.endsWith("/private");
  };
  expect([
    kindOf(await s.crawler.fetchPage("http://site.example/2", { isAllowedRedirect })),
    kindOf(await s.crawler.fetchPage("http://site.example/1")),
    kindOf(
      await s.crawler.fetchPage("http://site.example/away", {
        isAllowedRedirect: (url) => Promise.resolve(isAllowedRedirect(url)),
      }),
    ),
  ]).toEqual(["page", "too_many_redirects", "redirect_disallowed"]);
  const own = [3, 4, 5, 6, 7].map((hop) => `http://site.example/${hop}`);
  expect(asked).toEqual([...own, "http://other.example/private"]);
  expect(s.requests.filter(({ headers }) => headers.host === "other.example")).toEqual([]);
});

test("reads text of any type up to its limit, decompressing gzip files", async () => {
  const robots = "User-agent: *\nDisallow:\n";
  const xml = `<?xml version="1.0" encoding="utf-8"?><urlset>ü</urlset>`;
  await using s = await startPageSite({
    "/robots.txt": (response) => response.writeHead(200, { "content-type": "text/plain" }).end(robots),
    "/large.txt": (response) => response.writeHead(200).end("x".repeat(600 * 1024)),
    "/sitemap.xml.gz": (response) =>
      response.writeHead(200, { "content-type": "application/x-gzip" }).end(gzipSync(xml)),
  });
  const textOf = async (path: string, limitBytes?: number) => {
    const outcome = await s.crawler.fetchText(
      `http://site.example${path}`,
      limitBytes === undefined ? {} : { limitBytes },
    );
    return outcome.kind === "text" && [outcome.status, outcome.text.slice(0, 60), outcome.bytes, outcome.isTruncated];
  };
  expect([
    await textOf("/robots.txt"),
    await textOf("/large.txt"),
    await textOf("/large.txt", 1_000_000),
    await textOf("/sitemap.xml.gz"),
    await textOf("/nothing"),
  ]).toEqual([
    [200, robots, 24, false],
    [200, "x".repeat(60), 512_000, true],
    [200, "x".repeat(60), 614_400, false],
    [200, xml, 57, false],
    [404, "", 0, false],
  ]);
});

const failing = (code: string) =>
  createCrawler({ resolver: () => Promise.reject(Object.assign(new Error(code), { code })) });

const reasonOf = async (crawler: ReturnType<typeof createCrawler>, url = "http://site.example/") => {
  const outcome = await crawler.fetchPage(url);
  return outcome.kind === "skipped" ? outcome.reason : outcome.kind;
};

test("distinguishes missing hosts, rejecting hosts and timeouts", async () => {
  const there = await startSite(() => undefined);
  await there[Symbol.asyncDispose]();
  await using plain = await startSite((_request, response) => void response.end());
  expect([
    await reasonOf(failing("ENOTFOUND")),
    await reasonOf(failing("ESERVFAIL")),
    await reasonOf(createCrawler(there)),
    await reasonOf(createCrawler(plain), "https://site.example/"),
    await reasonOf(createCrawler(plain), "no address"),
  ]).toEqual(["name_not_found", "name_not_resolved", "connection_failed", "not_secure", "address_invalid"]);

  const giveUp = new AbortController();
  await using silent = await startSite(() => giveUp.abort(new Error("given up")));
  const crawler = createCrawler(silent);
  await expect(crawler.fetchPage("http://site.example/", { signal: giveUp.signal })).rejects.toThrow("given up");
  await expect(crawler.fetchPage("http://site.example/", { signal: giveUp.signal })).rejects.toThrow("given up");
  // A fault of ours is no fault of the host.
  await expect(failing("EUNKNOWN").fetchPage("http://site.example/")).rejects.toThrow("EUNKNOWN");
});
