import { LRUCache } from "lru-cache";
import { parseRobots, type Robots } from "./robots.ts";

/** Files of as many hosts as are crawled at once, and some more. */
const MOST_KEPT = 10;

const kept = new LRUCache<string, Robots>({ max: MOST_KEPT });

/** `parseRobots` of a text: a large file takes a tenth of a second to parse, and every page of its host is looked up in it. */
export function keptRobots(text: string): Robots {
  const robots = kept.get(text) ?? parseRobots(text);
  kept.set(text, robots);
  return robots;
}
