import { LRUCache } from "lru-cache";
import { parseRobots, type Robots } from "./robots.ts";

/** Covers all hosts crawled at once. */
const MAX_CACHED_FILES = 10;

const cachedRobots = new LRUCache<string, Robots>({ max: MAX_CACHED_FILES });

/** A large file takes 0.1 s to parse, and each page of its host needs it. */
export function parseRobotsCached(text: string): Robots {
  const robots = cachedRobots.get(text) ?? parseRobots(text);
  cachedRobots.set(text, robots);
  return robots;
}
