import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { chooseExtent } from "../support/proof.ts";
import { world } from "../support/world.ts";

test.skipIf(noChromium !== undefined)(
  "shows the reference in Chromium on phone and desktop widths, with no other origin and no axe findings",
  async () => {
    await using w = await world({ env: { SERVE: "core,search" } });
    await using browser = await openChromium();
    for (const [width, colorScheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      const asked = new Set<string>();
      const complaints: string[] = [];
      page.on("request", (request) => void asked.add(new URL(request.url()).origin));
      page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
      await page.goto(`${w.config.baseUrl}/docs`);
      // The longest pages: each is judged once in every run of the tests.
      const faults = chooseExtent(true, width === 390) ? await accessibilityFaults(page) : [];
      await page.getByLabel("Search all operations").fill("list organizations");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("link", { name: "List organizations" }).click();
      await page.getByText("next_cursor of the previous page; keep the same filters.").first().waitFor();
      if (chooseExtent(true, width === 1280)) faults.push(...(await accessibilityFaults(page)));
      expect(faults).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect([...asked]).toEqual([w.config.baseUrl]);
      expect(complaints).toEqual([]);
    }
  },
  60_000,
);
