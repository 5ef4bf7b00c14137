import { expect, test } from "vitest";
import type { SiteSubject } from "../../../core/audits/check.ts";
import { CRAWLER_CHECKS } from "../../../core/audits/crawlability/crawlers.ts";
import { scorePage } from "../../../core/audits/score-audit.ts";
import { createSubject } from "../run-check-on-page.ts";
import { runPageCheck, PAGE, type CheckedPage } from "./scene.ts";

const robots = (text: string, status = 200): CheckedPage => ({ site: { robots: { text, status } } });
const on = (id: string, given: CheckedPage) => runPageCheck(CRAWLER_CHECKS, id, given);

test("a blocked search crawler fails, with the responsible line", () => {
  expect(on("crawler_oai_searchbot", robots("User-agent: OAI-SearchBot\nDisallow: /kettles # soon"))).toEqual([
    "fail",
    "robots.txt keeps OAI-SearchBot out of the page. ChatGPT's search answers do not show the page.",
    "-: robots.txt, line 2: Disallow: /kettles",
  ]);
  expect(on("crawler_perplexitybot", robots("User-agent: *\nDisallow: /"))).toEqual([
    "fail",
    "robots.txt keeps PerplexityBot out of the page by a rule for all crawlers. Perplexity's search results do not show the page.",
    "-: robots.txt, line 2: Disallow: /",
  ]);
});

test("an allowed search crawler passes, even if others are blocked or a longer rule allows it", () => {
  const passes = ["pass", "robots.txt lets OAI-SearchBot fetch the page."];
  expect([
    on("crawler_oai_searchbot", robots("User-agent: GPTBot\nDisallow: /")),
    on("crawler_oai_searchbot", robots("User-agent: *\nDisallow: /\nAllow: /kettles")),
    on("crawler_oai_searchbot", robots("User-agent: OAI-SearchBot\nDisallow: /kettles/")),
    on("crawler_oai_searchbot", robots("User-agent: *\nDisallow: /", 404)),
  ]).toEqual([passes, passes, passes, passes]);
});

test("Applebot obeys Googlebot's group if it has none", () => {
  const both = "User-agent: Googlebot\nDisallow: /\n";
  expect([
    on("crawler_applebot", robots(both)),
    on("crawler_applebot", robots(`${both}User-agent: Applebot\nAllow: /`)),
  ]).toEqual([
    [
      "fail",
      "robots.txt keeps Applebot out of the page by a rule for Googlebot. Siri, Spotlight and Safari do not show the page.",
      "-: robots.txt, line 2: Disallow: /",
    ],
    ["pass", "robots.txt lets Applebot fetch the page."],
  ]);
});

test("a blocked user fetcher fails, or warns if its operator promises no obedience", () => {
  const text = "User-agent: Claude-User\nUser-agent: Perplexity-User\nDisallow: /";
  expect([on("crawler_claude_user", robots(text)), on("crawler_perplexity_user", robots(text))]).toEqual([
    [
      "fail",
      "robots.txt keeps Claude-User out of the page. Claude does not open the page when a person asks about it.",
      "-: robots.txt, line 3: Disallow: /",
    ],
    [
      "warn",
      "robots.txt keeps Perplexity-User out of the page. Perplexity may not open the page when a person asks about it.",
      "-: robots.txt, line 3: Disallow: /",
    ],
  ]);
});

test("training crawlers are reported without affecting the score", () => {
  const without = robots("User-agent: GPTBot\nUser-agent: Google-Extended\nUser-agent: CCBot\nDisallow: /");
  expect([on("crawler_gptbot", without), on("crawler_claudebot", without)]).toEqual([
    [
      "pass",
      "robots.txt keeps GPTBot out of the page. It keeps the page out of training, and costs no visibility in answers that search the web.",
      "-: robots.txt, line 4: Disallow: /",
    ],
    ["pass", "robots.txt lets ClaudeBot fetch the page."],
  ]);
  const { fetched, site } = createSubject("", { url: PAGE });
  const scoreOf = (text: string) => {
    const subject = { fetched, site: { ...site, robots: { text, status: 200 } } satisfies SiteSubject };
    return scorePage(
      CRAWLER_CHECKS.flatMap((check) => (check.of === "address" ? [{ check, ...check.run(subject) }] : [])),
    ).crawlability;
  };
  const training = ["GPTBot", "ClaudeBot", "Google-Extended", "CCBot", "Bytespider", "Applebot-Extended"];
  expect([
    scoreOf(""),
    scoreOf(training.map((token) => `User-agent: ${token}\nDisallow: /\n`).join("")),
    scoreOf("User-agent: *\nDisallow: /"),
    scoreOf("User-agent: bingbot\nDisallow: /"),
  ]).toEqual([
    { score: 100, checks: 18 },
    { score: 100, checks: 18 },
    { score: 7, checks: 18 },
    { score: 88, checks: 18 },
  ]);
});

test("all crawlers that index are looked at together", () => {
  const bing = "User-agent: bingbot\nDisallow: /\n";
  expect(
    [
      robots(""),
      robots("User-agent: GPTBot\nUser-agent: ChatGPT-User\nDisallow: /"),
      robots(`${bing}User-agent: YouBot\nDisallow: /kettles`),
      robots("User-agent: *\nDisallow: /"),
    ].map((given) => on("search_crawlers_admitted", given)),
  ).toEqual([
    ["pass", "robots.txt lets every crawler that indexes for answers fetch the page."],
    ["pass", "robots.txt lets every crawler that indexes for answers fetch the page."],
    [
      "warn",
      "robots.txt keeps 2 of 10 crawlers that index for answers out of the page: bingbot, YouBot.",
      "-: robots.txt, line 2: Disallow: /",
      "-: robots.txt, line 4: Disallow: /kettles",
    ],
    [
      "fail",
      "robots.txt keeps every crawler that indexes for answers out of the page.",
      "-: robots.txt, line 2: Disallow: /",
    ],
  ]);
});

test("the requested address and its redirect target must both be allowed", () => {
  const given = robots("User-agent: bingbot\nDisallow: /old");
  expect(on("crawler_bingbot", { ...given, url: "https://shop.test/old" })[0]).toBe("fail");
  expect(on("crawler_bingbot", { ...given, url: "https://shop.test/older" })[0]).toBe("fail");
  expect(on("crawler_bingbot", { ...given, url: "https://shop.test/other" })[0]).toBe("pass");
  expect(on("crawler_bingbot", { ...given, url: "https://other.test/old" })[0]).toBe("pass");
});

test("skips unknown cases with the reason", () => {
  const reasons = [
    { site: { robots: { unread: "The host did not answer within the time limit." } } },
    robots("", 503),
    { finalUrl: "https://other.test/a" },
  ];
  for (const id of ["search_crawlers_admitted", "crawler_googlebot", "crawler_gptbot"]) {
    expect(reasons.map((given) => on(id, given))).toEqual([
      ["skipped", "robots.txt could not be read. The host did not answer within the time limit."],
      ["skipped", "robots.txt could not be read. It answers with status 503."],
      ["skipped", "The page is on another host, whose robots.txt was not read."],
    ]);
  }
});
