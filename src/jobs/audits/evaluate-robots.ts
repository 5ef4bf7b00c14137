import { parseRobotsCached } from "../../../core/audits/site-files/parse-robots-cached.ts";
import { findCrawlDelay, isAllowed, type Robots } from "../../../core/audits/site-files/robots.ts";
import type { RobotsAnswer, RobotsTask } from "./check-thread.ts";

const MAX_SITEMAPS = 50;

export function evaluateRobots({ text, agent, url }: RobotsTask): RobotsAnswer {
  const robots = parseRobotsCached(text);
  const { isAllowed: allowed } = isAllowed(robots, agent, url);
  return { isAllowed: allowed, delay: findCrawlDelay(robots, agent), sitemaps: listSitemapUrls(robots) };
}

/** Skips values that are no absolute URL (sitemaps.org, "Submitting your sitemap"). */
function listSitemapUrls({ sitemaps }: Robots): string[] {
  const addresses = sitemaps.filter(({ text }) => /^https?:\/\//i.test(text) && URL.canParse(text));
  return addresses.slice(0, MAX_SITEMAPS).map(({ text }) => new URL(text).href);
}
