import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PASSWORD, sceneWithPassword } from "./assistant.ts";
import { noChromium, openChromium } from "./chromium.ts";
import { world } from "./world.ts";

async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

async function signIn(page: Page, baseUrl: string, path: string): Promise<void> {
  await page.goto(baseUrl + path);
  await page.getByLabel("E-mail").fill("owner@acme.test");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
}

test.skipIf(noChromium !== undefined)(
  "a new key is copied by its button, which says so, and is not there after a reload",
  async () => {
    await using w = await world();
    await sceneWithPassword(w);
    const { baseUrl } = w.config;
    const chromium = await openChromium();
    try {
      const context = await chromium.newContext();
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: baseUrl });
      const page = await context.newPage();
      await signIn(page, baseUrl, "/api-keys");
      await page.getByLabel("Name").fill("Nightly report");
      await page.getByRole("button", { name: "Create key" }).click();
      const key = await page.locator("#new-key").innerText();
      expect(key).toMatch(/^bva_usr_[0-9A-Za-z]{49}$/);
      const copy = page.getByRole("button", { name: "Copy the key" });
      await copy.focus();
      await page.keyboard.press("Enter");
      await page.locator("[aria-live]", { hasText: "Copied" }).waitFor({ state: "attached" });
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.goto(`${baseUrl}/api-keys`);
      expect(await page.content()).not.toContain(key.slice(8, 40));
      const plain = await chromium.newContext({ javaScriptEnabled: false });
      const page2 = await plain.newPage();
      await signIn(page2, baseUrl, "/api-keys");
      await page2.getByLabel("Name").fill("Without scripts");
      await page2.getByRole("button", { name: "Create key" }).click();
      expect(await page2.locator("#new-key").innerText()).toMatch(/^bva_usr_/);
      expect(await page2.getByRole("button", { name: "Copy the key" }).count()).toBe(0);
    } finally {
      await chromium.close();
    }
  },
  60_000,
);
