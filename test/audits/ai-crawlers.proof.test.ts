import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AI_CRAWLERS } from "../../core/audits/site-files/ai-crawlers.ts";

const LABELS = new URL("../../../shared/data/robots/ai.robots.json", import.meta.url);

const hasLabels = existsSync(LABELS);

/** Crawlers missing in the list: it excludes pure search engines and Mistral's later crawlers. */
const NOT_LISTED = ["Googlebot", "bingbot", "MistralAI-Index", "MistralAI-Training"];

test.skipIf(!hasLabels)("every other crawler is in the list of ai.robots.txt, by its token", () => {
  const listed = new Set(Object.keys(JSON.parse(readFileSync(LABELS, "utf8")) as object));
  expect(AI_CRAWLERS.map(({ token }) => token).filter((token) => !listed.has(token))).toEqual(NOT_LISTED);
});
