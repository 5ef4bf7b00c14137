import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { AI_CRAWLERS, CRAWLER_TIERS, findCrawler } from "../../core/audits/site-files/ai-crawlers.ts";

const LABELS = new URL("../../../shared/data/robots/ai.robots.json", import.meta.url);

const hasLabels = existsSync(LABELS);

if (!hasLabels) process.stdout.write("skipped: labels of crawlers are not at ../shared/data/robots\n");

test("each crawler has one tier, and operators with several crawlers use one per tier", () => {
  const byTier = CRAWLER_TIERS.map((tier) => AI_CRAWLERS.filter((one) => one.tier === tier).map(({ token }) => token));
  expect(byTier).toEqual([
    [
      "Googlebot",
      "bingbot",
      "OAI-SearchBot",
      "Claude-SearchBot",
      "PerplexityBot",
      "Applebot",
      "Amzn-SearchBot",
      "meta-webindexer",
      "MistralAI-Index",
      "YouBot",
    ],
    [
      "ChatGPT-User",
      "Claude-User",
      "Perplexity-User",
      "Amzn-User",
      "meta-externalfetcher",
      "MistralAI-User",
      "DuckAssistBot",
    ],
    [
      "GPTBot",
      "ClaudeBot",
      "Google-Extended",
      "Applebot-Extended",
      "Amazonbot",
      "meta-externalagent",
      "MistralAI-Training",
      "CCBot",
      "AI2Bot",
      "cohere-training-data-crawler",
      "Bytespider",
      "DeepSeekBot",
    ],
  ]);
});

test("a user agent names the crawler of the longest token in it", () => {
  const named = [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (compatible; Applebot-Extended/1.0)",
    "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0",
  ].map((userAgent) => findCrawler(userAgent)?.token);
  expect(named).toEqual(["bingbot", "Applebot-Extended", undefined]);
});
