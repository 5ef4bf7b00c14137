import { LRUCache } from "lru-cache";
import { parseRobots, type Robots } from "./robots.ts";

/** Max cached files; covers all hosts crawled at once. */
const MOST_KEPT = 10;

const kept = new LRUCache<string, Robots>({ max: MOST_KEPT });

/**
 * Like parseRobots, but cached: a large file takes 0.1 s to parse, and each page of its host needs
 * it.
 */
export function keptRobots(text: string): Robots {
  const robots = kept.get(text) ?? parseRobots(text);
  kept.set(text, robots);
  return robots;
}
