import { crawlDelay, isAllowed, parseRobots, type Robots } from "../../../core/audit/robots.ts";
import type { RobotsAnswer, RobotsOrder } from "./check-thread.ts";

/** Files of as many hosts as are crawled at once, and some more. */
const MOST_KEPT = 10;
const MOST_SITEMAPS = 50;

const kept = new Map<string, Robots>();

/** A large file takes a tenth of a second to parse, and every page of its host is looked up in it. */
function parsed(text: string): Robots {
  const robots = kept.get(text) ?? parseRobots(text);
  kept.delete(text);
  kept.set(text, robots);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return robots;
}

export function readRobots({ text, agent, url }: RobotsOrder): RobotsAnswer {
  const robots = parsed(text);
  const { allowed } = isAllowed(robots, agent, url);
  return { allowed, delay: crawlDelay(robots, agent), sitemaps: sitemapsOf(robots) };
}

/** Those that are addresses: others mean nothing (sitemaps.org, "Submitting your sitemap"). */
function sitemapsOf({ sitemaps }: Robots): string[] {
  const addresses = sitemaps.filter(({ text }) => /^https?:\/\//i.test(text) && URL.canParse(text));
  return addresses.slice(0, MOST_SITEMAPS).map(({ text }) => new URL(text).href);
}
