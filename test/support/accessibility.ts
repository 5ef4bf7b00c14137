import axe from "axe-core";
import type { Page } from "playwright-core";
import { chooseExtent } from "./proof.ts";

type Colours = "light" | "dark";

let turn = 0;

/**
 * Colour schemes to check a page in: alternating in `npm test`, both in `npm run proof --
 * pages:axe`.
 */
export function nextColourSchemes(): readonly Colours[] {
  turn += 1;
  return chooseExtent<readonly Colours[]>(["light", "dark"], [turn % 2 === 0 ? "dark" : "light"]);
}

/** axe violations of the page: each rule with the offending markup. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Waits until colour transitions have finished.
  await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))");
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  // Reports only violations, and waits for no styles or media of other origins, which the pages
  // never load.
  const options = { resultTypes: ["violations"], preload: false };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
