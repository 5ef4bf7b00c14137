import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { STARTED_AT, crawlScene } from "./crawl-scene.ts";
import { fakeSite } from "./fake-site.ts";

const SITE = "https://acme.test";
const [HOME, X1, X2] = [`${SITE}/`, `${SITE}/products/x1`, `${SITE}/products/x2`];
const page = (title: string) => ({ html: `<title>${title}</title>` });
const SITEMAP = { html: `<urlset><url><loc>${HOME}</loc></url><url><loc>${X1}</loc></url></urlset>` };
const HEADERS = { xRobotsTag: [], link: [], contentLanguage: null, cacheControl: null, etag: null, lastModified: null };

const crawlability = (score: number) => ({ score, checks: 3 });

test("pages are fetched in the order of the setup, checked and stored with the ends of their jobs, and the run is summed up", async () => {
  await using s = await crawlScene();
  const audit = await s.audit([HOME, X1, X2]);
  const collectId = await audit.run();
  const site = fakeSite({
    [`${SITE}/robots.txt`]: { html: `Sitemap: ${SITE}/map.xml` },
    [`${SITE}/map.xml`]: SITEMAP,
    [HOME]: page("Acme phones"),
    [X1]: page("X1"),
  });
  expect(await s.crawl(site.crawler)).toBe(1);
  expect(site.asked).toEqual([`${SITE}/robots.txt`, `${SITE}/map.xml`, `${SITE}/llms.txt`, HOME, X1, X2]);

  const stored = await s.stored(collectId);
  expect(stored.jobs).toEqual([
    { url: HOME, status: "succeeded", attempts: 1, reason: null },
    { url: X1, status: "succeeded", attempts: 1, reason: null },
    { url: X2, status: "succeeded", attempts: 1, reason: null },
  ]);
  expect(stored.collect).toMatchObject({
    status: "running",
    planned: 3,
    succeeded: 3,
    failed: 0,
    startedAt: STARTED_AT,
    collectedFrom: STARTED_AT,
    collectedTo: STARTED_AT,
  });
  expect(stored.ends).toBe(collectId);
  const [home, , missing] = stored.pages;
  const pageId = home?.row.pageId;
  expect(home).toEqual({
    url: HOME,
    row: {
      collectId,
      pageId,
      outcome: "pass",
      skippedReason: null,
      title: "Acme phones",
      pageType: "other",
      typeConfidence: 0.3,
      score: 100,
      scores: {
        crawlability: crawlability(100),
        semantic: { score: 100, checks: 1 },
        content: { score: 100, checks: 1 },
      },
      outcomes: { fail: ["reported"], warn: [], skipped: [], passed: 4 },
      changes: [],
      checksVersion: 7,
      fetchedAt: STARTED_AT,
    },
    rest: {
      collectId,
      pageId,
      findings: [
        { check: "status", outcome: "pass", message: "It answers.", evidence: [] },
        { check: "listed", outcome: "pass", message: "It is listed.", evidence: [] },
        { check: "titled", outcome: "pass", message: "It has one title.", evidence: [] },
        { check: "named", outcome: "pass", message: "The other page names the brand.", evidence: [] },
        { check: "reported", outcome: "fail", message: "It is reported only.", evidence: [] },
      ],
      address: {
        url: HOME,
        finalUrl: HOME,
        redirects: [],
        status: 200,
        headers: { contentType: "text/html", ...HEADERS },
        responseMs: 5,
        bytes: 26,
        encoding: "UTF-8",
        isTruncated: false,
        digest: expect.stringMatching(/^[\da-f]{64}$/),
        basis: expect.stringMatching(/^[\da-f]{64}$/),
      },
    },
  });
  // A missing page fails its check; it does not count as not fetched.
  expect(missing?.row).toMatchObject({
    outcome: "fail",
    skippedReason: null,
    title: null,
    pageType: null,
    score: 10,
    outcomes: { fail: ["status"], warn: ["listed"], skipped: ["titled", "named", "reported"], passed: 0 },
  });
  expect(missing?.rest.findings[2]).toEqual({
    check: "titled",
    outcome: "skipped",
    message: "The page answers with HTTP 404.",
    evidence: [],
  });
  const uncompared = { fixed: null, broken: null };
  expect(stored.audit).toEqual({
    collectId,
    analysisId: audit.analysisId,
    checksVersion: 7,
    isSimulated: false,
    startedAt: STARTED_AT,
    site: {
      origin: SITE,
      robots: { text: `Sitemap: ${SITE}/map.xml`, status: 200 },
      sitemap: { urls: [HOME, X1], files: [`${SITE}/map.xml`], faults: [] },
      llmsTxt: null,
    },
    findings: [{ check: "crawlers", outcome: "pass", message: "robots.txt can be read.", evidence: [] }],
    summary: {
      scores: {
        crawlability: { score: 70, checks: 9 },
        semantic: { score: 100, checks: 2 },
        content: { score: 75, checks: 2 },
      },
      pages: { audited: 3, skipped: 0 },
      outcomes: { pass: 1, warn: 1, fail: 1, skipped: 0 },
      types: { other: 1, product: 1 },
      checks: {
        status: { pass: 2, warn: 0, fail: 1, skipped: 0, ...uncompared },
        listed: { pass: 2, warn: 1, fail: 0, skipped: 0, ...uncompared },
        titled: { pass: 2, warn: 0, fail: 0, skipped: 1, ...uncompared },
        named: { pass: 1, warn: 1, fail: 0, skipped: 1, ...uncompared },
        reported: { pass: 0, warn: 0, fail: 2, skipped: 1, ...uncompared },
      },
      before: null,
      worst: [missing?.row.pageId, stored.pages[1]?.row.pageId, pageId],
      skippedReasons: [],
      notes: [],
    },
  });
});

test("skips pages that robots.txt disallows or that reject our crawler, with the reason", async () => {
  await using s = await crawlScene();
  const [refused, gone, moved] = [`${SITE}/refused`, `${SITE}/away`, `${SITE}/moved`];
  const audit = await s.audit([X1, refused, gone, moved, HOME]);
  const collectId = await audit.run();
  const site = fakeSite({
    [`${SITE}/robots.txt`]: { html: "User-agent: ourbot\nDisallow: /products/" },
    [refused]: { status: 403 },
    [gone]: { fails: "name_not_found" },
    [moved]: { to: X2 },
    [HOME]: page("Acme"),
  });
  await s.crawl(site.crawler);
  expect(site.asked.slice(3)).toEqual([refused, gone, moved, HOME]);
  const { jobs, pages, collect, audit: stored } = await s.stored(collectId);
  const reasons = [
    "robots.txt does not allow our crawler to fetch it.",
    "The server refused our crawler (HTTP 403).",
    "The host does not exist.",
    "The page redirects to an address that robots.txt does not allow, or whose robots.txt could not be read.",
  ];
  expect(jobs.map(({ status, attempts, reason }) => ({ status, attempts, reason }))).toEqual([
    ...reasons.map((reason) => ({ status: "failed", attempts: 1, reason })),
    { status: "succeeded", attempts: 1, reason: null },
  ]);
  expect(pages[0]?.row).toEqual({
    collectId,
    pageId: pages[0]?.row.pageId,
    outcome: "skipped",
    skippedReason: reasons[0],
    title: null,
    pageType: null,
    typeConfidence: null,
    score: null,
    scores: null,
    outcomes: { fail: [], warn: [], skipped: [], passed: 0 },
    changes: [],
    checksVersion: 7,
    fetchedAt: STARTED_AT,
  });
  expect(pages[0]?.rest).toMatchObject({ findings: [], address: null });
  expect(collect).toMatchObject({ succeeded: 1, failed: 4 });
  expect(stored?.summary).toMatchObject({
    pages: { audited: 1, skipped: 4 },
    outcomes: { pass: 0, warn: 1, fail: 0, skipped: 4 },
    skippedReasons: reasons.toSorted().map((reason) => ({ reason, pages: 1 })),
  });
});

test("a page that may be there later is tried again while others are fetched, four times at most", async () => {
  await using s = await crawlScene();
  const [slow, broken, busy] = [`${SITE}/slow`, `${SITE}/broken`, `${SITE}/busy`];
  const collectId = await (await s.audit([slow, broken, busy, HOME])).run();
  const site = fakeSite({
    [slow]: [{ fails: "timeout" }, { fails: "connection_lost" }, page("Acme")],
    [broken]: { status: 503 },
    [busy]: [{ status: 429, retryAfterMs: 120_000 }, page("Acme")],
    [HOME]: page("Acme"),
  });
  expect(await s.crawl(site.crawler)).toBeGreaterThan(3);
  expect(site.asked.slice(3, 7)).toEqual([slow, broken, busy, HOME]);
  const { jobs, pages } = await s.stored(collectId);
  expect(jobs.map(({ url, status, attempts }) => [url, status, attempts])).toEqual([
    [slow, "succeeded", 3],
    [broken, "succeeded", 4],
    [busy, "succeeded", 2],
    [HOME, "succeeded", 1],
  ]);
  expect(pages.map(({ row }) => row.outcome)).toEqual(["warn", "fail", "warn", "warn"]);
  const waited = Date.parse(pages[2]?.row.fetchedAt ?? "") - Date.parse(STARTED_AT);
  expect(waited).toBeGreaterThanOrEqual(120_000);
  expect(waited).toBeLessThan(900_000);
});

test("an unreadable robots.txt is retried, then nothing is fetched", async () => {
  await using s = await crawlScene();
  const collectId = await (await s.audit([HOME])).run();
  const site = fakeSite({ [`${SITE}/robots.txt`]: { status: 500 }, [HOME]: page("Acme") });
  expect(await s.crawl(site.crawler)).toBe(4);
  expect(site.asked).toEqual(Array.from({ length: 4 }, () => `${SITE}/robots.txt`));
  const { jobs, audit } = await s.stored(collectId);
  const reason = "robots.txt could not be read, so that nothing may be fetched: The host answers with HTTP 500.";
  expect(jobs).toEqual([{ url: HOME, status: "failed", attempts: 1, reason }]);
  expect(audit).toMatchObject({
    site: {
      robots: { unread: "The host answers with HTTP 500." },
      sitemap: { unread: "robots.txt could not be read." },
    },
    findings: [{ check: "crawlers", outcome: "fail" }],
    summary: { notes: ["robots.txt could not be read, so that no page of its host was fetched."] },
  });
});

test("an unchanged page is not transferred again, and an unchanged audit gives equal results", async () => {
  await using s = await crawlScene();
  const audit = await s.audit([HOME, X1]);
  const site = fakeSite({
    [HOME]: { ...page("Acme"), headers: { etag: '"1"', cacheControl: "no-cache" } },
    [X1]: page("X1"),
  });
  const first = await audit.run();
  await s.crawl(site.crawler);
  await s.end(first);
  const second = await audit.run();
  await s.crawl(site.crawler);
  expect(site.asked.slice(-2)).toEqual([`${HOME} unless "1"`, X1]);
  const [one, other] = [await s.stored(first), await s.stored(second)];
  const timeless = ({ pages }: typeof one) =>
    pages.map(({ url, row, rest }) => ({
      url,
      row: { ...row, collectId: "", fetchedAt: "" },
      rest: { ...rest, collectId: "" },
    }));
  expect(timeless(other)).toEqual(timeless(one));
  expect(other.audit?.summary).toEqual({
    ...one.audit?.summary,
    checks: Object.fromEntries(
      Object.entries(one.audit?.summary?.checks ?? {}).map(([id, counts]) => [id, { ...counts, fixed: 0, broken: 0 }]),
    ),
    before: { collectId: first, number: 1, scores: one.audit?.summary?.scores, siteChanges: [] },
  });

  // Another brand name or page type: the page is parsed again.
  await s.end(second);
  await s.owner.patch(`${s.workspace.path}/brands/${s.brandId}`, { name: "Apex" });
  const third = await audit.run();
  await s.crawl(site.crawler);
  expect(site.asked.slice(-2)).toEqual([HOME, X1]);
  const { pages, audit: stored } = await s.stored(third);
  expect(pages[0]?.row.changes).toEqual([{ check: "named", was: "pass", is: "warn" }]);
  expect(stored?.summary?.checks["named"]).toMatchObject({ fixed: 0, broken: 1 });
  await s.end(third);
  await s.tenant(async ({ db: { q, t } }) => {
    await q.update(t.questions).set({ pageType: "article" }).where(eq(t.questions.text, HOME));
  });
  const fourth = await audit.run();
  await s.crawl(site.crawler);
  expect(site.asked.slice(-2)).toEqual([HOME, X1]);
  expect((await s.stored(fourth)).pages[0]?.row).toMatchObject({ pageType: "article", typeConfidence: 1 });
});

test("pauses requests to a host as long as it asks, outside the lane", async () => {
  await using s = await crawlScene();
  const collectId = await (await s.audit([HOME, X1])).run();
  const site = fakeSite({
    [`${SITE}/robots.txt`]: { html: "User-agent: *\nCrawl-delay: 20" },
    [HOME]: page("Acme"),
    [X1]: page("X1"),
  });
  expect(await s.crawl(site.crawler)).toBe(3);
  const { pages } = await s.stored(collectId);
  expect(pages.map(({ row }) => row.fetchedAt)).toEqual([STARTED_AT, "2026-11-23T10:00:20.000Z"]);
});
