import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findCrawlDelay, isAllowed, parseRobots } from "../../core/audits/site-files/robots.ts";

const REFERENCE = new URL("../../../shared/data/robots/matcher-cases.json", import.meta.url);

const hasReference = existsSync(REFERENCE);

if (!hasReference) process.stdout.write("skipped: reference cases are not at ../shared/data/robots\n");

function verdict(text: string, agent: string | string[], url: string) {
  return isAllowed(parseRobots(text), agent, new URL(url, "https://shop.test").href);
}

test("names the deciding line and its group", () => {
  const text =
    "User-agent: *\nDisallow: /private # not for the public\nAllow: /private/press\n\nUser-agent: Bot1\nDisallow:\n";
  expect([
    verdict(text, "GPTBot", "/private/a"),
    verdict(text, "GPTBot", "/private/press/b"),
    verdict(text, "GPTBot", "/open"),
    verdict(text, "bot1", "/private/a"),
    verdict("Sitemap: /a.xml", "GPTBot", "/private/a"),
  ]).toEqual([
    { isAllowed: false, rule: { text: "Disallow: /private", line: 2 }, group: "*" },
    { isAllowed: true, rule: { text: "Allow: /private/press", line: 3 }, group: "*" },
    { isAllowed: true, rule: null, group: "*" },
    { isAllowed: true, rule: null, group: "bot1" },
    { isAllowed: true, rule: null, group: null },
  ]);
});

test("matches tokens completely: longer and shorter ones are other crawlers", () => {
  const text = "User-agent: Googlebot\nDisallow: /\nUser-agent: Googlebot-News\nAllow: /\n";
  const allowed = (agent: string) => verdict(text, agent, "/a").isAllowed;
  expect(["googlebot", "Googlebot-News", "Googlebot-Image", "Google"].map(allowed)).toEqual([false, true, true, true]);
});

test("a crawler that obeys another group uses its own first, and * last", () => {
  const apple = ["Applebot", "Googlebot"];
  expect([
    verdict("User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /", apple, "/").group,
    verdict("User-agent: Googlebot\nAllow: /\nUser-agent: Applebot\nDisallow: /", apple, "/").group,
    verdict("User-agent: *\nDisallow: /", apple, "/").group,
  ]).toEqual(["Googlebot", "Applebot", "*"]);
});

test("groups of one crawler are merged (section 2.2.1)", () => {
  const text =
    "User-agent: ExampleBot\nDisallow: /foo\nUser-agent: Other\nDisallow: /\nUser-agent: ExampleBot\nDisallow: /bar\nAllow: /foo/a";
  const allowed = (path: string) => verdict(text, "examplebot", path).isAllowed;
  expect(["/foo", "/foo/a", "/bar", "/baz"].map(allowed)).toEqual([false, true, false, true]);
});

function blocked(rule: string, path: string): boolean {
  return !verdict(`User-agent: *\nDisallow: ${rule}`, "a", path).isAllowed;
}

test("compares escapes by section 2.2.2, and special characters by section 2.2.3", () => {
  expect(blocked("/~me", "/%7Eme")).toBe(true);
  expect(blocked("/%7eme", "/~me")).toBe(true);
  expect(blocked("/a%2fb", "/a%2Fb")).toBe(true);
  expect(blocked("/a%2Fb", "/a/b")).toBe(false);
  expect(blocked("/ü", "/%C3%BC")).toBe(true);
  expect(blocked("/?q='x'", "/?q='x'")).toBe(true);
  expect(blocked("/\ud800", "/%EF%BF%BD")).toBe(true);
  expect(blocked("/file-with-a-%2A.html", "/file-with-a-*.html")).toBe(true);
  expect(blocked("/file-with-a-%2A.html", "/file-with-a-b.html")).toBe(false);
  expect(blocked("/foo-%24", "/foo-$")).toBe(true);
  expect(blocked("/foo$bar", "/foo$bar")).toBe(true);
  expect(blocked("/a*b*$", "/axxb/c")).toBe(true);
  expect(blocked("/a*ab$", "/ab")).toBe(false);
});

test("the robots.txt itself is always allowed (section 2.2.2)", () => {
  expect([verdict("User-agent: *\nDisallow: /", "a", "/robots.txt").isAllowed]).toEqual([true]);
});

test("parses sitemaps, delays, and faults by line", () => {
  const robots = parseRobots(
    "\uFEFFDisallow: /early\rUser-agent: Slow\r\nCrawl-delay: 20\nUser-agent: *\nCrawl-delay: 1.5\nDissallow: /a\nDisallow: b\n" +
      "User-agent: §\nSitemap: https://shop.test/sitemap.xml # main\n<html lang>a b\n\nUser-agent: Quick\nCrawl-delay: none",
  );
  expect({ sitemaps: robots.sitemaps, problems: robots.problems, isCut: robots.isCut }).toEqual({
    sitemaps: [{ text: "https://shop.test/sitemap.xml", line: 9 }],
    problems: [
      { kind: "rule_outside_group", text: "Disallow: /early", line: 1 },
      { kind: "unknown_field", text: "Dissallow: /a", line: 6 },
      { kind: "path_never_matches", text: "Disallow: b", line: 7 },
      { kind: "no_product_token", text: "User-agent: §", line: 8 },
      { kind: "not_understood", text: "<html lang>a b", line: 10 },
    ],
    isCut: false,
  });
  expect(["slow", "other", "Quick"].map((agent) => findCrawlDelay(robots, agent))).toEqual([20, 1.5, null]);
});

function fill(line: (index: number) => string): string {
  let text = "";
  for (let index = 0; text.length < 512_000; index++) text += line(index);
  return text;
}

/**
 * Guards against a robots.txt made to exhaust its parser (RFC 9309, section 3: "memory
 * management").
 */
describe("hostile files", () => {
  const path = `/${"a".repeat(2000)}`;
  const half = (line: (index: number) => string) =>
    fill(line)
      .slice(0, 250_000)
      .replace(/[^\n]*$/, "");

  test.each([
    ["many wildcards in one rule", `User-agent: *\nDisallow: /${"*a".repeat(8000)}b`],
    ["as many wildcard rules as fit", `User-agent: *\n${fill(() => "Disallow: /*b\n")}`],
    ["parts that nearly match", `User-agent: *\n${fill(() => `Disallow: /*${"a".repeat(250)}b\n`)}`],
    ["many crawlers with many rules", half((i) => `User-agent: a${i}\n`) + half((i) => `Disallow: /${i}\n`)],
    ["one crawler in many groups", fill(() => "User-agent: a\nDisallow: /b\n")],
    ["one line", `Disallow: /${"%".repeat(600_000)}`],
    ["nothing but line ends", "\r\n".repeat(300_000)],
  ])("%s", { timeout: 5000 }, (_, text) => {
    const robots = parseRobots(text);
    expect(isAllowed(robots, ["a", "a7"], `https://shop.test${path}`).isAllowed).toBe(true);
    expect(findCrawlDelay(robots, "a")).toBeNull();
  });

  test("ignores text beyond 500 kibibytes, and reports the cut", () => {
    const text = `User-agent: *\n${"#\n".repeat(256_000)}Disallow: /`;
    const robots = parseRobots(text);
    expect([robots.isCut, isAllowed(robots, "a", "https://shop.test/").isAllowed]).toEqual([true, true]);
  });
});
