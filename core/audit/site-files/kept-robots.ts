import { parseRobots, type Robots } from "./robots.ts";

/** Files of as many hosts as are crawled at once, and some more. */
const MOST_KEPT = 10;

const kept = new Map<string, Robots>();

/** `parseRobots` of a text: a large file takes a tenth of a second to parse, and every page of its host is looked up in it. */
export function keptRobots(text: string): Robots {
  const robots = kept.get(text) ?? parseRobots(text);
  kept.delete(text);
  kept.set(text, robots);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return robots;
}
