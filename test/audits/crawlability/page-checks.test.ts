import { describe, expect, test } from "vitest";
import { CRAWLABILITY_PAGE_CHECKS } from "../../../core/audits/crawlability/crawlability-checks.ts";
import { CRAWLER_CHECKS } from "../../../core/audits/crawlability/crawlers.ts";
import { createSubject } from "../run-check-on-page.ts";
import { runPageCheck, PAGE, type CheckedPage } from "./scene.ts";

type Cases = readonly (readonly [title: string, given: CheckedPage, found: readonly string[]])[];

const meta = (name: string, content: string): CheckedPage => ({ html: `<meta name="${name}" content="${content}">` });
const header = (...xRobotsTag: string[]): CheckedPage => ({ headers: { xRobotsTag } });
const canonical = (...hrefs: string[]): CheckedPage => ({
  html: hrefs.map((href) => `<link rel=canonical href="${href}">\n`).join(""),
});
const hop = (url: string, to: string, status = 301) => ({ url, to, status });
const hops = (count: number): CheckedPage => ({
  redirects: Array.from({ length: count }, (_, at) => hop(`https://shop.test/${at}`, `https://shop.test/${at + 1}`)),
});
const sitemap = (...urls: string[]): CheckedPage => ({
  site: { sitemap: { urls, files: ["https://shop.test/sitemap.xml"], faults: [] } },
});
const words = (count: number) => "kettle ".repeat(count);

/** Rules for robots, once as meta tags and once as headers. */
function ofRules(id: string, cases: readonly (readonly [name: string, content: string, found: readonly string[]])[]) {
  const asMeta = cases.map(([name, content, found]): Cases[number] => [
    `${name}: ${content}`,
    meta(name, content),
    found[0] === "pass" ? found : [...found, `1: <meta name="${name}" content="${content}">`],
  ]);
  const asHeader = cases.map(([name, content, found]): Cases[number] => {
    const line = name === "robots" ? content : `${name}: ${content}`;
    return [line, header(line), found[0] === "pass" ? found : [...found, `-: X-Robots-Tag: ${line}`]];
  });
  return { [`meta_${id}`]: asMeta, [`header_${id}`]: asHeader };
}

const INDEXED = ["pass", "No rule keeps the page out of indexes."];
const SHOWN = ["pass", "No rule forbids snippets of the page."];
const USED = ["pass", "No rule keeps the page out of Copilot's answers."];
const CHAIN_OF_TWO = [
  "-: 301: https://shop.test/0 → https://shop.test/1",
  "-: 301: https://shop.test/1 → https://shop.test/2",
];

const RULES = {
  ...ofRules("noindex", [
    ["robots", "index, follow", INDEXED],
    ["robots", "noindexing, unavailable_after: 2030-01-01", INDEXED],
    ["googlebot-news", "noindex", INDEXED],
    ["gptbot", "noindex", INDEXED],
    ["robots", "NoIndex, follow", ["fail", "A rule keeps the page out of all indexes."]],
    ["robots", "none", ["fail", "A rule keeps the page out of all indexes."]],
    ["googlebot", "noindex", ["warn", "A rule keeps the page out of the index of Googlebot."]],
    ["msnbot", "nofollow, noindex", ["warn", "A rule keeps the page out of the index of bingbot."]],
  ]),
  ...ofRules("nosnippet", [
    ["robots", "max-snippet:-1, max-image-preview:large", SHOWN],
    ["robots", "max-snippet: 160, max-video-preview:0", SHOWN],
    ["robots", "nosnippet", ["fail", "A rule forbids snippets of the page."]],
    ["robots", "max-snippet:0", ["fail", "A rule forbids snippets of the page."]],
    ["bingbot", "nosnippet", ["warn", "A rule forbids snippets of the page for bingbot."]],
    ["robots", "max-snippet:50", ["warn", "A rule allows snippets of less than 160 characters."]],
  ]),
  ...ofRules("noarchive", [
    ["robots", "noindex", USED],
    ["googlebot", "noarchive", USED],
    ["robots", "noarchive", ["fail", "With noarchive Copilot's answers leave the page out."]],
    ["bingbot", "noarchive", ["fail", "With noarchive Copilot's answers leave the page out."]],
    [
      "robots",
      "noarchive, nocache",
      ["warn", "With nocache Copilot uses no more of the page than address, title and snippet."],
    ],
  ]),
};

const CASES: Readonly<Record<string, Cases>> = {
  status: [
    ["200", {}, ["pass", "The page answers with status 200."]],
    ["203", { status: 203 }, ["warn", "The page answers with status 203, with which engines may leave it out."]],
    ["401", { status: 401 }, ["fail", "The page asks for a sign-in (status 401)."]],
    ["404", { status: 404 }, ["fail", "There is no page at the address (status 404)."]],
    ["500", { status: 500 }, ["fail", "The page answers with status 500."]],
    [
      "403",
      { status: 403 },
      ["skipped", "The page answers our requests with status 403, but it may answer other visitors."],
    ],
    [
      "503",
      { status: 503 },
      ["skipped", "The page answers our requests with status 503, but it may answer other visitors."],
    ],
  ],
  response_time: [
    ["at once", { responseMs: 800 }, ["pass", "The page answered after 800 ms."]],
    ["slowly", { responseMs: 800.6 }, ["warn", "The page answered after 801 ms."]],
    ["very slowly", { responseMs: 1801 }, ["fail", "The page answered after 1801 ms."]],
    ["with an error", { status: 404, responseMs: 5000 }, ["skipped", "The page answers with status 404."]],
  ],
  redirect_chain: [
    ["none", {}, ["pass", "The address answers without a redirect."]],
    ["one", hops(1), ["pass", "The address answers after one redirect."]],
    ["two", hops(2), ["warn", "The address answers after 2 redirects.", ...CHAIN_OF_TWO]],
    [
      "five",
      hops(5),
      [
        "fail",
        "The address answers after 5 redirects; some crawlers give up.",
        ...CHAIN_OF_TWO,
        "-: 301: https://shop.test/2 → https://shop.test/3",
        "-: 301: https://shop.test/3 → https://shop.test/4",
        "-: 301: https://shop.test/4 → https://shop.test/5",
      ],
    ],
    [
      "in a circle",
      { redirects: [hop(PAGE, "https://shop.test/a"), hop("https://shop.test/a", PAGE), hop(PAGE, PAGE)] },
      [
        "fail",
        "The redirects form a loop.",
        `-: 301: ${PAGE} → https://shop.test/a`,
        `-: 301: https://shop.test/a → ${PAGE}`,
        `-: 301: ${PAGE} → ${PAGE}`,
      ],
    ],
  ],
  redirect_permanent: [
    ["none", {}, ["pass", "The address does not redirect."]],
    ["with 301 and 308", { redirects: [hop("https://a.test/", PAGE, 308)] }, ["pass", "Redirects are permanent."]],
    [
      "with 302",
      { redirects: [hop("https://a.test/", "https://b.test/"), hop("https://b.test/", PAGE, 302)] },
      ["warn", "1 redirect on the way to the page is temporary.", `-: 302: https://b.test/ → ${PAGE}`],
    ],
  ],
  https: [
    ["over https", { redirects: [hop("http://shop.test/", PAGE)] }, ["pass", "The page is served over https."]],
    [
      "over http",
      { finalUrl: "http://shop.test/a" },
      ["fail", "The page is served over http.", "-: http://shop.test/a"],
    ],
    [
      "over http in between",
      { redirects: [hop("https://shop.test/", "http://shop.test/"), hop("http://shop.test/", PAGE)] },
      ["warn", "A redirect leads from https to http.", "-: 301: https://shop.test/ → http://shop.test/"],
    ],
  ],
  refresh_redirect: [
    ["to itself", meta("refresh", " 30 ;"), ["pass", "The page does not redirect by a meta tag."]],
    [
      "one",
      { html: '\n<meta http-equiv="Refresh" content="0; URL=/a">' },
      ["warn", "The page redirects by a meta tag.", "2: 0; URL=/a"],
    ],
  ],
  ...RULES,
  data_nosnippet: [
    ["nowhere", { html: `<p data-snippet>${words(9)}` }, ["pass", "No part of the text is kept out of snippets."]],
    [
      "on an element that does not take it",
      { html: `<p data-nosnippet>${words(9)}` },
      ["pass", "No part of the text is kept out of snippets."],
    ],
    [
      "on a small part",
      { html: `<div data-nosnippet>${words(2)}<script>${words(90)}</script></div><p>${words(8)}` },
      ["pass", "data-nosnippet keeps 20 % of the words out of snippets."],
    ],
    [
      "on a large part",
      { html: `<p>${words(5)}</p>\n<section data-nosnippet><span data-nosnippet>${words(5)}</span></section>` },
      [
        "warn",
        "data-nosnippet keeps 50 % of the words out of snippets.",
        `2: <section data-nosnippet><span data-nosnippet>${words(5)}</span></section>`,
        `2: <span data-nosnippet>${words(5)}</span></section>`,
      ],
    ],
    [
      "on most of the text",
      { html: `<p>${words(1)}</p><div DATA-NOSNIPPET="">${words(3)}</div>` },
      [
        "fail",
        "data-nosnippet keeps 75 % of the words out of snippets.",
        `1: <div DATA-NOSNIPPET="">${words(3).trim()} </div>`,
      ],
    ],
  ],
  canonical: [
    ["itself", canonical("/kettles"), ["pass", "The page names itself as its canonical address."]],
    ["itself, twice", canonical(PAGE, "/kettles"), ["pass", "The page names itself as its canonical address."]],
    [
      "itself, beside a base",
      { html: '<base href="/en/"><link rel="canonical" href="../kettles">' },
      ["pass", "The page names itself as its canonical address."],
    ],
    [
      "itself, in the header",
      { headers: { link: [`</a>; rel=preload, <${PAGE}>; rel="canonical"`] } },
      ["pass", "The page names itself as its canonical address."],
    ],
    [
      "without the query",
      { ...canonical(PAGE), finalUrl: `${PAGE}?from=mail` },
      ["pass", "The canonical address is the page's without its query."],
    ],
    ["none", { html: `<link rel=alternate href="${PAGE}">` }, ["warn", "The page names no canonical address."]],
    [
      "another page",
      canonical("/mills"),
      [
        "warn",
        "The page names another page as its canonical address, so engines show the other page instead.",
        "1: /mills",
      ],
    ],
    [
      "another host",
      canonical("https://www.shop.test/kettles"),
      ["warn", "The canonical address is on another host of the domain.", "1: https://www.shop.test/kettles"],
    ],
    [
      "another protocol",
      canonical("http://shop.test/kettles"),
      ["warn", "The canonical address begins with http://, the page's with https://.", "1: http://shop.test/kettles"],
    ],
    ["a part", canonical("/kettles#top"), ["warn", "The canonical address has a fragment (#).", "1: /kettles#top"]],
    [
      "another site",
      canonical("https://rival.test/kettles"),
      [
        "fail",
        "The page names a page of another site as its canonical address, so engines show the other page instead.",
        "1: https://rival.test/kettles",
      ],
    ],
    [
      "several",
      { ...canonical("/kettles"), headers: { link: ["</mills>; rel=canonical"] } },
      ["fail", "The page names 2 different canonical addresses.", "1: /kettles", "-: Link: </mills>; rel=canonical"],
    ],
    ["broken", canonical("http://"), ["fail", "The canonical address is not an http or https address.", "1: http://"]],
    ["empty", canonical(""), ["fail", "The canonical address is not an http or https address.", "1: "]],
  ],
  sitemap_lists_page: [
    ["that is listed", { ...sitemap(PAGE), finalUrl: `${PAGE}#a` }, ["pass", "The sitemap lists the page."]],
    ["that is not listed", sitemap(`${PAGE}?a`), ["warn", "The sitemap does not list the page."]],
    [
      "that is listed with a slash",
      sitemap(`${PAGE}/`),
      ["warn", "The sitemap lists the page's address with a different trailing slash."],
    ],
    [
      "that a listed address redirects to",
      { ...sitemap("https://shop.test/old"), url: "https://shop.test/old" },
      ["warn", "The sitemap lists an address that redirects to the page."],
    ],
    ["that does not answer", { ...sitemap(PAGE), status: 404 }, ["skipped", "The page answers with status 404."]],
    [
      "of a site without one",
      { site: { sitemap: { urls: [], files: [], faults: [] } } },
      ["skipped", "No sitemap was found."],
    ],
    ["of a site whose sitemap was not read", {}, ["skipped", "not read"]],
  ],
  content_without_scripts: [
    [
      "that was not rendered",
      { html: `<p>${words(3)}<script></script>`, rendered: { unrendered: "no browser" } },
      ["pass", "The HTML has 3 words. The page was not rendered."],
    ],
    [
      "that looks like an empty shell",
      { html: '<div id="root"></div><script src="/app.js"></script>' },
      ["fail", "The HTML has 0 words and containers that scripts fill. The page was not rendered."],
    ],
    [
      "with all of its text",
      { html: `<p>${words(80)}`, rendered: { html: `<p>${words(100)}` } },
      ["pass", "The HTML has 80 of the 100 words that the page has after its scripts ran."],
    ],
    [
      "with a part of its text",
      { html: `<p>${words(79)}`, rendered: { html: `<p>${words(100)}` } },
      ["warn", "The HTML has 79 of the 100 words that the page has after its scripts ran."],
    ],
    [
      "with little of its text",
      { html: `<p>${words(49)}`, rendered: { html: `<p>${words(100)}` } },
      ["fail", "The HTML has 49 of the 100 words that the page has after its scripts ran."],
    ],
  ],
};

describe.each(Object.entries(CASES))("%s of a page", (id, cases) => {
  test.each(cases.map(([title, given, found]) => ({ title, given, found })))("$title", ({ given, found }) => {
    expect(runPageCheck(CRAWLABILITY_PAGE_CHECKS, id, given)).toEqual(found);
  });
});

test("a header names the crawler of the rules that follow it", () => {
  expect([
    runPageCheck(CRAWLABILITY_PAGE_CHECKS, "header_noindex", header("otherbot: noindex, nofollow", "nofollow")),
    runPageCheck(CRAWLABILITY_PAGE_CHECKS, "header_noindex", header("nofollow, googlebot: nofollow, noindex")),
    runPageCheck(CRAWLABILITY_PAGE_CHECKS, "header_noindex", header("otherbot: all", "noindex")),
  ]).toEqual([
    INDEXED,
    [
      "warn",
      "A rule keeps the page out of the index of Googlebot.",
      "-: X-Robots-Tag: nofollow, googlebot: nofollow, noindex",
    ],
    ["fail", "A rule keeps the page out of all indexes.", "-: X-Robots-Tag: noindex"],
  ]);
});

test("each check has cases and a complete declaration", () => {
  const ofCrawlers = new Set(CRAWLER_CHECKS.map(({ id }) => id));
  const others = CRAWLABILITY_PAGE_CHECKS.filter(({ id }) => !ofCrawlers.has(id));
  expect(new Set(Object.keys(CASES))).toEqual(new Set(others.map(({ id }) => id)));
  const ids = CRAWLABILITY_PAGE_CHECKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, area, weight, source } of CRAWLABILITY_PAGE_CHECKS) {
    expect(id).toMatch(/^[a-z][a-z0-9_]+$/);
    expect(area).toBe("crawlability");
    expect(weight).toBeLessThanOrEqual(5);
    expect(new URL(source.url).protocol).toBe("https:");
  }
});

/** Guards against pages and headers made to exhaust their parser. */
test("a check runs in linear time", { timeout: 5000 }, () => {
  const spaces = " ".repeat(200_000);
  const html = `<meta name=refresh content="${spaces}">${'<meta name="robots" content="a,a">'.repeat(20_000)}${"<span data-nosnippet>".repeat(20_000)}`;
  const subject = createSubject(html, { url: PAGE });
  const headers = {
    ...subject.fetched.headers,
    xRobotsTag: ["a:".repeat(100_000), "noindex,".repeat(20_000), spaces],
    link: ["<a>;rel".repeat(20_000), `<a>;${spaces}`, `<a>${", ".repeat(100_000)}`],
  };
  for (const check of CRAWLABILITY_PAGE_CHECKS) check.run({ ...subject, fetched: { ...subject.fetched, headers } });
});
