import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SOURCES } from "../../core/sources/sources.ts";
import type { Scene } from "./ask-provider.ts";

const PROMPTS = 100;
const usd = (each: number | null | undefined) => (PROMPTS * (each ?? NaN)).toFixed(2);

/**
 * Checks that the page of a provider with several sources states the price per hundred prompts of
 * its declaration: a row `source | expected | most`.
 */
export function testDocsPrices({ declared, env }: Scene): void {
  test(`states in docs/providers/${declared.name}.md what a hundred prompts to each source cost`, () => {
    const page = readFileSync(new URL(`../../docs/providers/${declared.name}.md`, import.meta.url), "utf8");
    const provider = declared.open(env, { concurrency: 1 });
    const rows = SOURCES.filter((source) => provider?.methods[source]).map((source) => {
      const price = provider?.price(source);
      return `| \`${source}\` | ${usd(price?.expectedUsd)} | ${usd(price?.maxUsd)} |`;
    });
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
}
