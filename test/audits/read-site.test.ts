import { expect, test } from "vitest";
import type { Crawler } from "../../core/audits/crawler.ts";
import { readSite } from "../../src/jobs/audits/read-site.ts";
import { CHECKER } from "./checker.ts";
import { fakeSite, type FakeResponse } from "./fake-site.ts";

const SITE = "https://acme.test";
const [HOME, X1, X2] = [`${SITE}/`, `${SITE}/x1`, `${SITE}/x2`];
const ROBOTS = `${SITE}/robots.txt`;
const { signal } = new AbortController();
const urlset = (...urls: string[]) => ({
  html: `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`,
});

/** Facts read from a site with these responses. */
async function read(answers: Record<string, FakeResponse>, given: { sitemapUrl?: string; isOwn?: boolean } = {}) {
  const { crawler, asked } = fakeSite(answers);
  const site = { website: `${SITE}/shop`, sitemapUrl: null, pages: [HOME, X1, X2], isOwn: false, ...given };
  return { ...(await readSite(site, { crawler, checker: CHECKER, signal })), asked };
}

test("a site without robots.txt allows everything, and its sitemap is searched at the usual place", async () => {
  const { siteFacts, retryHint, asked } = await read({ [`${SITE}/sitemap.xml`]: urlset(HOME, X2) });
  expect(siteFacts).toEqual({
    origin: SITE,
    robots: { text: "", status: 404 },
    sitemap: { urls: [HOME, X2], files: [`${SITE}/sitemap.xml`], faults: [] },
    llmsTxt: null,
  });
  expect(retryHint).toBe(undefined);
  expect(asked).toEqual([ROBOTS, `${SITE}/sitemap.xml`, `${SITE}/llms.txt`]);
});

test("reads sitemaps of an index until all pages are found, and reports their faults", async () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => `${SITE}/${name}.xml`) as [string, string, string, string];
  const index = `<sitemapindex>${[a, b, c, d].map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`;
  const { siteFacts, asked } = await read({
    [ROBOTS]: { html: `Sitemap: ${SITE}/index.xml\nSitemap: /relative.xml` },
    [`${SITE}/index.xml`]: { html: index },
    [a]: urlset(HOME, "nowhere"),
    [b]: { status: 500 },
    [c]: urlset(X2, X1),
    [d]: urlset(HOME),
  });
  expect(siteFacts.sitemap).toEqual({
    urls: [HOME, X2, X1],
    files: [`${SITE}/index.xml`, a, c],
    faults: [
      "One entry is not an absolute address of http or https.",
      "A sitemap could not be read: The host answers with HTTP 500.",
    ],
  });
  expect(asked).not.toContain(d);
});

test("reports a missing sitemap, and reads the setup's sitemap first", async () => {
  expect((await read({})).siteFacts.sitemap).toEqual({
    urls: [],
    files: [],
    faults: [],
  });
  expect((await read({ [`${SITE}/sitemap.xml`]: { fails: "timeout" } })).siteFacts.sitemap).toEqual({
    unread: "A sitemap could not be read: The host did not answer within the time limit.",
  });
  const named = await read({ [`${SITE}/own.xml`]: { fails: "timeout" } }, { sitemapUrl: `${SITE}/own.xml` });
  expect(named.siteFacts.sitemap).toEqual({
    unread: "A sitemap could not be read: The host did not answer within the time limit.",
  });
});

test("fetches sitemaps only if robots.txt allows it, and at its crawl rate", async () => {
  // Fault: the sitemap of a host that disallows everything was requested immediately.
  const robots = { [ROBOTS]: { html: "User-agent: OurBot\nDisallow: /" }, [`${SITE}/sitemap.xml`]: urlset(HOME) };
  const closed = await read(robots);
  expect(closed.asked).toEqual([ROBOTS]);
  expect(closed.siteFacts.sitemap).toEqual({
    unread: "A sitemap could not be read: robots.txt does not allow our crawler to fetch it.",
  });
  const moved = await read({
    [ROBOTS]: { html: "User-agent: OurBot\nCrawl-delay: 7\nDisallow: /private/" },
    [`${SITE}/sitemap.xml`]: { to: `${SITE}/private/sitemap.xml` },
    [`${SITE}/private/sitemap.xml`]: urlset(HOME),
  });
  expect(moved.siteFacts.sitemap).toEqual({
    unread:
      "A sitemap could not be read: The page redirects to an address that robots.txt does not allow, or whose robots.txt could not be read.",
  });
  expect(moved.asked).toEqual([ROBOTS, `${SITE}/sitemap.xml after 7000 ms`, `${SITE}/llms.txt after 7000 ms`]);
});

test("reads llms.txt as text, and only if robots.txt allows it", async () => {
  const llms = { html: "# Acme", headers: { contentType: "text/plain" } };
  const llmsUrl = `${SITE}/llms.txt`;
  expect((await read({ [llmsUrl]: llms })).siteFacts.llmsTxt).toBe("# Acme");
  expect((await read({ [llmsUrl]: { html: "<h1>Not found</h1>" } })).siteFacts.llmsTxt).toBe(null);
  const forbidden = { [ROBOTS]: { html: "User-agent: *\nDisallow: /llms.txt" }, [llmsUrl]: llms };
  expect((await read(forbidden)).siteFacts.llmsTxt).toBe(null);
});

/** Outcome of requesting robots.txt with this response. */
const reading = async (answer: FakeResponse) => {
  const { siteFacts, retryHint, asked } = await read({ [ROBOTS]: answer });
  return { robots: siteFacts.robots, later: retryHint, asked: asked.length };
};

test("retries robots.txt after a host failure, but not after a rejection without a retry hint", async () => {
  expect(await reading({ status: 503, retryAfterMs: 5000 })).toEqual({
    robots: { unread: "The host answers with HTTP 503." },
    later: { retryAfterMs: 5000 },
    asked: 1,
  });
  expect(await reading({ status: 429 })).toEqual({
    robots: { unread: "The host answers with HTTP 429." },
    later: undefined,
    asked: 1,
  });
  expect(await reading({ fails: "connection_failed" })).toEqual({
    robots: { unread: "The host could not be connected to." },
    later: {},
    asked: 1,
  });
  expect(await reading({ fails: "name_not_found" })).toMatchObject({ later: undefined });
});

test("requests the start page as crawlers do only on own sites, to see whether they are admitted", async () => {
  const page = { html: `<title>Acme</title>${"<p>A phone.".repeat(50)}` };
  const asked = (await read({ [HOME]: page })).asked;
  expect(asked.filter((one) => one.includes(" as "))).toEqual([]);

  const { siteFacts, asked: askedAs } = await read({ [HOME]: page }, { isOwn: true });
  const names = [
    "OAI-SearchBot",
    "ChatGPT-User",
    "PerplexityBot",
    "Perplexity-User",
    "Claude-SearchBot",
    "Claude-User",
  ];
  const all = [...names, "Googlebot", "bingbot"];
  expect(siteFacts.crawlerAnswers).toEqual(all.map((userAgent) => ({ userAgent, status: 200, isSame: true })));
  expect(askedAs.filter((one) => one.startsWith(`${HOME} as Mozilla/5.0 `))).toHaveLength(all.length);

  const blocking = fakeSite({ [HOME]: page });
  const blocked: Crawler["fetchPage"] = async (url, options = {}) => {
    const outcome = await blocking.crawler.fetchPage(url, options);
    if (outcome.kind !== "page" || options.userAgent === undefined) return outcome;
    if (options.userAgent.includes("PerplexityBot")) return { ...outcome, page: { ...outcome.page, status: 403 } };
    if (options.userAgent.includes("ChatGPT-User")) return { ...outcome, page: { ...outcome.page, bytes: 90 } };
    return options.userAgent.includes("bingbot") ? { kind: "skipped", reason: "timeout", message: "" } : outcome;
  };
  const site = { website: HOME, sitemapUrl: null, pages: [HOME], isOwn: true };
  const tools = { crawler: { ...blocking.crawler, fetchPage: blocked }, checker: CHECKER, signal };
  const answers = (await readSite(site, tools)).siteFacts.crawlerAnswers;
  expect(answers?.filter(({ isSame }) => !isSame)).toEqual([
    { userAgent: "ChatGPT-User", status: 200, isSame: false },
    { userAgent: "PerplexityBot", status: 403, isSame: false },
  ]);
  expect(answers?.map(({ userAgent }) => userAgent)).not.toContain("bingbot");
});
