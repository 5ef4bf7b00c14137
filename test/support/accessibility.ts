import axe from "axe-core";
import type { Page } from "playwright-core";
import { extent } from "./proof.ts";

type Colours = "light" | "dark";

let turn = 0;

/** The colours to judge a page in: one of them in `npm test`, another for the next page, and both in `npm run proof -- pages:axe`. */
export function coloursInTurn(): readonly Colours[] {
  turn += 1;
  return extent<readonly Colours[]>(["light", "dark"], [turn % 2 === 0 ? "dark" : "light"]);
}

/** What axe finds wrong with a page as it stands: a rule and the markup that breaks it, each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Colours that are on their way from light to dark are nobody's to judge.
  await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))");
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  // What passes is not described, and styles and media of other origins, which no page of ours has, are not awaited.
  const options = { resultTypes: ["violations"], preload: false };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
