import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { world } from "../support/world.ts";

test.skipIf(noChromium !== undefined)(
  "shows the crawler page in Chromium on phone and desktop widths, without axe findings",
  async () => {
    await using w = await world({ env: { SERVE: "core" } });
    await using browser = await openChromium();
    for (const [width, colorScheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      await page.goto(`${w.config.baseUrl}/docs/crawler`);
      await page.getByRole("heading", { name: "BrandVisibilityBot", level: 1 }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  },
);
