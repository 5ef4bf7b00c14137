import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong with a page as it stands: a rule and the markup that breaks it, each. `exclude` is a selector. */
export async function accessibilityFaults(page: Page, exclude?: string): Promise<string[]> {
  // Colours that are on their way from light to dark are nobody's to judge.
  await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))");
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  // What passes is not described, and styles and media of other origins, which no page of ours has, are not awaited.
  const options = { resultTypes: ["violations"], preload: false };
  const context = exclude === undefined ? {} : { exclude: [exclude] };
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(${JSON.stringify({ include: ["html"], ...context })}, ${JSON.stringify(options)})`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
