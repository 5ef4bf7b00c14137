import { expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { renderCrawlerPage } from "../../src/http/reference/crawler-page.ts";
import { readConfig } from "../../src/config/config.ts";
import { openCrawler } from "../../src/outside/crawler/open-crawler.ts";
import { PACKAGE } from "../../src/process/package.ts";
import { world } from "../support/world.ts";

const USER_AGENT = `BrandVisibilityBot/${PACKAGE.version} (+https://visibility.example/docs/crawler)`;

const SITE = { BASE_URL: "https://visibility.example" };

test("the address in the crawler's user agent is a page without sign-in that names it, and how to slow and block it", async () => {
  const { userAgent } = openCrawler(readConfig(SITE), new AbortController().signal);
  expect(userAgent).toBe(USER_AGENT);
  const [, address = ""] = /\(\+(.*)\)$/.exec(userAgent) ?? [];
  for (const [SERVE, status] of [
    ["core", 200],
    ["web", 200],
    ["search,mcp", 404],
  ] as const) {
    await using w = await world({ env: { SERVE, CRAWLER_CONTACT: "crawler@visibility.example" } });
    const page = await new Browser().get(w.config.baseUrl + new URL(address).pathname);
    expect(page.status).toBe(status);
    if (status === 404) continue;
    const shown = page.text.replaceAll("&#43;", "+");
    const { userAgent: sent } = openCrawler(w.config, new AbortController().signal);
    for (const said of [
      `<code>${sent}</code>`,
      "User-agent: BrandVisibilityBot\nCrawl-delay: 10",
      "User-agent: BrandVisibilityBot\nDisallow: /",
      "up to 30. To block it",
      '<a href="mailto:crawler@visibility.example">crawler@visibility.example</a>',
    ])
      expect(shown).toContain(said);
  }
});

/** The contact that the page of a service with these settings shows. */
function contactShown(env: Record<string, string>): string | undefined {
  return /<dt>Contact<\/dt>\s*<dd>([^]*?)<\/dd>/.exec(renderCrawlerPage(readConfig({ ...SITE, ...env })))?.[1]?.trim();
}

test("takes an e-mail or web address as the crawler contact, and shows the service's address without one", () => {
  expect(contactShown({ CRAWLER_CONTACT: "https://visibility.example/contact" })).toBe(
    '<a href="https://visibility.example/contact">https://visibility.example/contact</a>',
  );
  expect(contactShown({})).toBe(
    'The operator has set no contact. The service runs at <a href="https://visibility.example">https://visibility.example</a>.',
  );
  for (const CRAWLER_CONTACT of ["javascript:alert(1)", "us", "ftp://visibility.example"])
    expect(() => readConfig({ CRAWLER_CONTACT })).toThrow(
      "CRAWLER_CONTACT: must be an e-mail address or a web address",
    );
});
