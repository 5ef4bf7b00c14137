import { expect, test } from "vitest";
import type { StoredAddress } from "../../core/audits/audit-rows.ts";
import type { Crawler } from "../../core/audits/crawler.ts";
import { fetchAudited } from "../../src/jobs/audits/fetch-audited.ts";
import { checkPermission, openPermissions } from "../../src/jobs/audits/robots-files.ts";
import { CHECKER } from "./checker.ts";
import { fakeSite, type FakeResponse } from "./fake-site.ts";

const SITE = "https://acme.test";
const PAGE = `${SITE}/page`;
const { signal } = new AbortController();

/** Fetches the page of a site that answers so. */
async function fetched(
  answers: Record<string, FakeResponse | FakeResponse[]>,
  by: {
    renders?: boolean;
    known?: StoredAddress;
    renderPage?: Crawler["renderPage"];
    robots?: string;
    url?: string;
  } = {},
) {
  const site = fakeSite(answers);
  const crawler = { ...site.crawler, renderPage: by.renderPage };
  const robots = { text: by.robots ?? "", status: 200 };
  const permissions = openPermissions({ origin: SITE, robots }, { crawler, checker: CHECKER, signal });
  const { renders: shouldRender = false, known = null, url = PAGE } = by;
  const allowedFetch = await checkPermission(permissions, url);
  const outcome = await fetchAudited(url, { crawler, allowedFetch, shouldRender, known, signal });
  return { outcome, asked: site.asked };
}

const none = { xRobotsTag: [], link: [], contentLanguage: null, cacheControl: null, etag: null, lastModified: null };
const HTML = { contentType: "text/html", ...none };
const known: StoredAddress = {
  url: PAGE,
  finalUrl: PAGE,
  redirects: [],
  status: 200,
  headers: { ...HTML, etag: '"1"', xRobotsTag: ["noarchive"], cacheControl: "no-cache" },
  responseMs: 90,
  bytes: 400,
  encoding: "UTF-8",
  isTruncated: false,
  digest: "d",
  basis: "b",
};

test("an unchanged page keeps its content, with fields updated from the response", async () => {
  const same = { headers: { etag: '"1"', xRobotsTag: ["noarchive"] } };
  const { outcome, asked } = await fetched({ [PAGE]: same }, { known });
  const { digest: _digest, basis: _basis, ...address } = known;
  expect(outcome).toEqual({ kind: "page", fetched: { ...address, responseMs: 5, html: "" }, isUnchanged: true });
  expect(asked).toEqual([`${PAGE} unless "1"`]);
});

test("a page that moved is transferred again", async () => {
  const there = { html: "<p>New", headers: { etag: '"1"' } };
  const { outcome, asked } = await fetched({ [PAGE]: { to: `${SITE}/new` }, [`${SITE}/new`]: there }, { known });
  expect(outcome).toMatchObject({ fetched: { finalUrl: `${SITE}/new`, html: "<p>New" }, isUnchanged: false });
  expect(asked).toEqual([`${PAGE} unless "1"`, PAGE]);
});

test.each([
  ["no longer has", {}],
  ["has others than", { xRobotsTag: ["noindex"] }],
  ["has links besides", { xRobotsTag: ["noarchive"], link: [`<${SITE}/>; rel="canonical"`] }],
])(
  "one whose host %s the rules in its headers is sent again, as its HTML alone is the same",
  async (_what, headers) => {
    const answer = { html: "<p>Same", headers: { etag: '"1"', ...headers } };
    const { outcome, asked } = await fetched({ [PAGE]: answer }, { known });
    expect(outcome).toMatchObject({
      fetched: { html: "<p>Same", headers: { xRobotsTag: [], ...headers } },
      isUnchanged: false,
    });
    expect(asked).toEqual([`${PAGE} unless "1"`, PAGE]);
  },
);

test.each([
  [{ status: 401 }, { reason: "The server refused our crawler (HTTP 401)." }],
  [{ status: 451 }, { reason: "The server refused our crawler (HTTP 451)." }],
  [{ status: 429 }, { reason: "The server refused our crawler (HTTP 429).", later: undefined }],
  [
    { status: 429, retryAfterMs: 9 },
    { reason: "The server refused our crawler (HTTP 429).", later: { retryAfterMs: 9 } },
  ],
  [{ fails: "timeout" }, { reason: "The host did not answer within the time limit.", later: {} }],
  [{ fails: "not_secure" }, { later: undefined }],
] as const)("what does not let our crawler in is skipped: %j", async (answer, skipped) => {
  expect((await fetched({ [PAGE]: answer })).outcome).toMatchObject({ kind: "skipped", ...skipped });
});

test.each([
  [{ status: 410 }, { unread: "The page answers with HTTP 410.", later: undefined }],
  [
    { status: 503, retryAfterMs: 9 },
    { unread: "The page answers with HTTP 503.", later: { retryAfterMs: 9 } },
  ],
])("an error is an answer, which is looked at without its HTML: %j", async (answer, page) => {
  expect((await fetched({ [PAGE]: answer })).outcome).toMatchObject({ kind: "page", isUnchanged: false, ...page });
});

test("a response that is no HTML gets only address checks", async () => {
  const { crawler } = fakeSite({ [PAGE]: { headers: { contentType: "application/pdf" } } });
  const answered = await crawler.fetchPage(PAGE);
  if (answered.kind !== "page") throw new Error("the page was not answered");
  const pdf: Crawler = {
    ...crawler,
    fetchPage: async () => ({
      kind: "skipped",
      reason: "not_html",
      message: "The answer is not HTML.",
      answer: answered.page,
    }),
  };
  const permissions = openPermissions(
    { origin: SITE, robots: { text: "", status: 404 } },
    { crawler: pdf, checker: CHECKER, signal },
  );
  const allowedFetch = await checkPermission(permissions, PAGE);
  expect(await fetchAudited(PAGE, { crawler: pdf, allowedFetch, shouldRender: true, known: null, signal })).toEqual({
    kind: "page",
    fetched: answered.page,
    unread: "The answer is not HTML.",
    isUnchanged: false,
  });
});

test("renders on request if there is a browser, else states why not", async () => {
  const page = { [PAGE]: { html: "<div id=app></div>" } };
  const of = async (renderPage: Crawler["renderPage"]) => (await fetched(page, { renders: true, renderPage })).outcome;
  expect(await of(async (url) => ({ kind: "rendered", html: `<p>${url}`, finalUrl: url }))).toMatchObject({
    fetched: { html: "<div id=app></div>", rendered: { html: `<p>${PAGE}` } },
  });
  expect(await of(async () => ({ kind: "skipped", reason: "browser_failed", message: "It ended." }))).toMatchObject({
    fetched: { rendered: { unrendered: "It ended." } },
  });
  expect(await of(undefined)).toMatchObject({ fetched: { rendered: { unrendered: "No browser is configured." } } });
});

test("a page of another origin uses that origin's robots.txt, read once", async () => {
  const other = "https://shop.acme.test";
  const answers = { [`${other}/robots.txt`]: { html: "User-agent: *\nDisallow: /" }, [PAGE]: { to: `${other}/a` } };
  const own = await fetched(answers);
  expect(own.outcome).toMatchObject({
    reason: "The page redirects to an address that robots.txt does not allow, or whose robots.txt could not be read.",
  });
  expect(own.asked).toEqual([PAGE, `${other}/robots.txt`]);
  const theirs = await fetched(answers, { url: `${other}/b` });
  expect(theirs.outcome).toEqual({ kind: "skipped", reason: "robots.txt does not allow our crawler to fetch it." });
  expect(theirs.asked).toEqual([`${other}/robots.txt`]);
});
