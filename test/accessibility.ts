import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What axe finds wrong with a page as it stands: a rule and the markup that breaks it, each. `exclude` is a selector. */
export async function accessibilityFaults(page: Page, exclude?: string): Promise<string[]> {
  // Colours that are on their way from light to dark are nobody's to judge.
  await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))");
  // Without a second page to bring the findings of frames together: no page of ours has frames.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (exclude === undefined ? axe : axe.exclude(exclude)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
