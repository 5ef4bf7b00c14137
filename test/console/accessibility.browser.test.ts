import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { noChromium, openChromium } from "../support/chromium.ts";

test.skipIf(noChromium !== undefined)("faults of a page are found, in the colours it has", async () => {
  await using chromium = await openChromium();
  const page = await chromium.newPage({ colorScheme: "light" });
  await page.setContent(`<!doctype html><html lang="en"><title>Faults</title>
    <style>p { color: #333; background: #fff } @media (prefers-color-scheme: dark) { p { background: #222 } }</style>
    <main><h1>Faults</h1><p>Dark on dark</p><img src="data:,"></main></html>`);
  const withoutText = 'image-alt: <img src="data:,">';
  expect(await accessibilityFaults(page)).toEqual([withoutText]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await accessibilityFaults(page)).toEqual(["color-contrast: <p>Dark on dark</p>", withoutText]);
});
