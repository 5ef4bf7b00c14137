import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Crawler } from "../../core/audits/crawler.ts";
import { openCheckThread } from "../../src/jobs/audits/check-thread.ts";
import { openPageFinder } from "../../src/jobs/audits/find-pages.ts";
import { CHECKER } from "./checker.ts";
import { fakeSite, type FakeResponse } from "./fake-site.ts";

const SITE = "https://acme.test";
const [HOME, ROBOTS, SITEMAP] = [`${SITE}/`, `${SITE}/robots.txt`, `${SITE}/sitemap.xml`];
const LIMITS = { timeoutMs: 10_000 };
const urlset = (...urls: string[]) => ({
  html: `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`,
});
const index = (...urls: string[]) => ({
  html: `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`,
});

function finderOf(crawler: Crawler, fileParser = CHECKER, closingSignal = new AbortController().signal) {
  return openPageFinder(crawler, { fileParser, closingSignal });
}

/** Pages found on a site with these responses, and the requests sent. */
async function find(answers: Record<string, FakeResponse>, given: { sitemapUrl?: string; maxPages?: number } = {}) {
  const { crawler, asked } = fakeSite(answers);
  const search = { website: HOME, sitemapUrl: undefined, maxPages: 100, ...given };
  return { ...(await finderOf(crawler).findPages(search, LIMITS)), asked };
}

test("finds pages in the sitemaps of robots.txt, including indexes and cycles, each read once", async () => {
  const [a, b] = [`${SITE}/a.xml`, `${SITE}/b.xml`];
  const answers = {
    [ROBOTS]: { html: `Sitemap: ${SITE}/index.xml\nSitemap: https://other.test/map.xml` },
    [`${SITE}/index.xml`]: index(a, b, `${SITE}/index.xml`, "https://other.test/c.xml"),
    [a]: urlset(HOME, `${SITE}/one`, "https://other.test/two"),
    [b]: index(a, b),
  };
  expect(await find(answers)).toEqual({
    pages: [HOME, `${SITE}/one`],
    from: `${SITE}/index.xml`,
    notes: ["2 addresses of the sitemap are not of the website and are left out."],
    asked: [ROBOTS, `${SITE}/index.xml`, a, b],
  });
  expect(await find({ [SITEMAP]: urlset(HOME, `${SITE}/one`, `${SITE}/two`) }, { maxPages: 2 })).toEqual({
    pages: [HOME, `${SITE}/one`],
    from: SITEMAP,
    notes: ["3 pages were found; the first 2 are audited."],
    asked: [ROBOTS, SITEMAP],
  });
});

test("without a sitemap, finds pages linked from the start page if robots.txt allows fetching it", async () => {
  const start = { html: `<a href="/one">1</a><a href="https://other.test/">2</a><a href="/one#part">3</a>` };
  const missing = "A sitemap could not be read: The host answers with HTTP 404.";
  expect(await find({ [HOME]: start })).toMatchObject({
    pages: [HOME, `${SITE}/one`],
    from: "the links of the start page",
    notes: [missing],
  });
  expect(await find({ [HOME]: start, [ROBOTS]: { html: "User-agent: *\nDisallow: /" } })).toEqual({
    pages: null,
    from: "",
    notes: [missing, "robots.txt does not allow our crawler to fetch the start page."],
    asked: [ROBOTS, SITEMAP],
  });
});

test("states why if nothing is readable", async () => {
  const map = `${SITE}/map.xml`;
  expect(await find({ [map]: { html: "<html>Sorry" } }, { sitemapUrl: map })).toEqual({
    pages: null,
    from: map,
    notes: ["What is at the address of the sitemap is no sitemap."],
    asked: [map],
  });
  expect(await find({ [ROBOTS]: { status: 503 } })).toMatchObject({
    pages: null,
    notes: ["robots.txt could not be read: The host answers with HTTP 503."],
  });
  expect(await find({ [SITEMAP]: { fails: "timeout" }, [HOME]: { fails: "not_html" } })).toMatchObject({
    pages: null,
    notes: [
      "A sitemap could not be read: The host did not answer within the time limit.",
      "The start page could not be read either.",
    ],
  });
});

test("returns the pages found within the time limit", async () => {
  const [quick, slow] = [`${SITE}/quick.xml`, `${SITE}/slow.xml`];
  const { crawler } = fakeSite({
    [SITEMAP]: index(quick, slow),
    [quick]: urlset(HOME),
    [slow]: { meanwhile: () => new Promise(() => undefined) },
  });
  const search = { website: HOME, sitemapUrl: SITEMAP, maxPages: 10 };
  expect(await finderOf(crawler).findPages(search, { timeoutMs: 200 })).toEqual({
    pages: [HOME],
    from: SITEMAP,
    notes: ["Not all could be read: it took longer than the time limit."],
  });
});

test("reads at most 50,000 addresses, and 50 sitemaps of an index", async () => {
  const many = Array.from({ length: 30_000 }, (_, at) => `${SITE}/${at}`);
  const [a, b, c] = [`${SITE}/a.xml`, `${SITE}/b.xml`, `${SITE}/c.xml`];
  const others = many.map((url) => `${url}-other`);
  const full = await find({ [SITEMAP]: index(a, b, c), [a]: urlset(...many), [b]: urlset(...others) }, { maxPages: 1 });
  expect(full).toMatchObject({
    pages: [`${SITE}/0`],
    notes: ["Of the sitemaps the first 3 were read.", "50,000 pages were found; the first 1 are audited."],
  });
  const deep = await find({ [SITEMAP]: index(...many) });
  expect(deep.asked).toHaveLength(1 + 50 + 1);
  expect(deep.notes).toContain("Of the sitemaps the first 50 were read.");
});

test("searches four websites concurrently; the others wait, or time out", async () => {
  const open = new Set<() => void>();
  const { crawler, asked } = fakeSite({
    [ROBOTS]: { meanwhile: () => new Promise((resolve) => void open.add(resolve)) },
    [SITEMAP]: urlset(HOME),
  });
  const finder = finderOf(crawler);
  const search = (timeoutMs: number) =>
    finder.findPages({ website: HOME, sitemapUrl: undefined, maxPages: 10 }, { timeoutMs });
  const first = Array.from({ length: 4 }, () => search(10_000));
  const late = await search(50);
  const waiting = search(10_000);
  await sleep(1);
  expect(late.pages).toBe(null);
  expect(asked).toEqual([ROBOTS, ROBOTS, ROBOTS, ROBOTS]);
  const release = setInterval(() => open.forEach((go) => go()), 1);
  const found = await Promise.all([...first, waiting]).finally(() => clearInterval(release));
  expect(found.map(({ pages }) => pages)).toEqual(Array.from({ length: 5 }, () => [HOME]));
});

/** A sitemap of 10 MB, mostly a comment; created per call because its buffer is transferred. */
const largeSitemap = () =>
  Buffer.from(`<urlset><url><loc>${HOME}</loc></url><!--${"-x".repeat(5_000_000)}--></urlset>`);

/** Turns of the event loop between the arrival of a large sitemap and its result. */
async function turnsWhileRead(reader: typeof CHECKER): Promise<number> {
  const { crawler } = fakeSite({ [SITEMAP]: urlset(HOME) });
  let [turns, arrived] = [0, 0];
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const fetchFile: Crawler["fetchFile"] = async (url, options) => {
    const answer = await crawler.fetchFile(url, options);
    if (answer.kind !== "file") return answer;
    const large = { ...answer, bytes: largeSitemap() };
    arrived = turns;
    return large;
  };
  const finder = finderOf({ ...crawler, fetchFile }, reader);
  const search = { website: HOME, sitemapUrl: SITEMAP, maxPages: 10 };
  const found = await finder.findPages(search, { timeoutMs: 60_000 }).finally(() => {
    isOver = true;
  });
  expect(found.pages).toEqual([HOME]);
  return turns - arrived;
}

test("parses a sitemap of 10 MB while the request thread continues", async () => {
  const thread = openCheckThread();
  const apart = await turnsWhileRead({ ...CHECKER, ...thread }).finally(() => thread.close());
  expect(apart).toBeGreaterThan(100);
  // Parsed in the request thread, the event loop hardly turns.
  expect(await turnsWhileRead(CHECKER)).toBeLessThan(20);
});
