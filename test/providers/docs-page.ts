import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SOURCES } from "../../core/sources/sources.ts";
import type { Scene } from "./ask-provider.ts";

const PROMPTS = 100;

/** Checks that a provider's page states the price per hundred prompts of its declaration. */
export function testDocsPage({ declared, env, question }: Scene, { pricesOf }: { pricesOf: string }): void {
  test(`states in docs/providers/${declared.name}.md what a hundred prompts cost`, () => {
    const page = readFileSync(new URL(`../../docs/providers/${declared.name}.md`, import.meta.url), "utf8");
    const source = question?.source ?? SOURCES.find((one) => declared.serves[one]);
    const price = source && declared.open(env, { concurrency: 1 })?.price(source);
    const usd = (each: number | null | undefined) => (PROMPTS * (each ?? NaN)).toFixed(2);
    const most = price?.maxUsd == null ? "." : `, and at most ${usd(price.maxUsd)} are reserved for them.`;
    expect(page).toContain(
      `At the list prices of ${pricesOf}, ${PROMPTS} prompts are expected to cost ${usd(price?.expectedUsd)} US dollars${most}`,
    );
  });
}
