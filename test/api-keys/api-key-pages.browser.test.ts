import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { sceneWithPassword } from "../support/assistant.ts";
import { noChromium, openChromium, confirmAction } from "../support/chromium.ts";
import { world } from "../support/world.ts";
import { OWNER, signIn } from "./api-key-pages-cases.ts";

test.skipIf(noChromium !== undefined)(
  "a person creates, copies, rotates and revokes a key, and an owner sees all keys, in Chromium",
  async () => {
    await using w = await world();
    const { organization, workspace } = await sceneWithPassword(w);
    const { baseUrl } = w.config;
    const chromium = await openChromium();
    const faults: Record<string, string[]> = {};
    try {
      const context = await chromium.newContext();
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: baseUrl });
      const page = await context.newPage();
      const keyShown = page.locator("#new-key");
      const cards = page.locator("li.item");
      await signIn(page, baseUrl, "/api-keys");
      await page.getByRole("heading", { name: "Create a key" }).waitFor();
      faults["keys"] = await accessibilityFaults(page);
      // Fault: a role could be selected for a key with full access, which ignores it.
      expect(await page.getByLabel("Role").isVisible()).toBe(false);
      await page.getByLabel("Name").fill("Nightly report");
      await page.getByLabel("Access").selectOption(workspace.name);
      await page.getByLabel("Role").selectOption("Editor");
      await page.getByRole("button", { name: "Create key" }).click();
      const key = await keyShown.innerText();
      expect(key).toMatch(/^bva_wsp_[0-9A-Za-z]{49}$/);
      await page.getByRole("button", { name: "Copy the key" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("[aria-live]", { hasText: "Copied" }).waitFor({ state: "attached" });
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
      faults["made"] = await accessibilityFaults(page);
      await page.reload();
      expect([await keyShown.count(), await page.getByRole("status").innerText()]).toEqual([
        0,
        "Created. The key was already shown once.",
      ]);
      const own = cards.filter({ hasText: "Nightly report" });
      expect([await own.count(), (await own.innerText()).includes(`${workspace.name} (workspace)`)]).toEqual([1, true]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.goto(`${baseUrl}/organizations/${organization.id}/api-keys`);
      expect(await cards.allInnerTexts()).toEqual([expect.stringContaining(`Made by\n${OWNER}`)]);
      await page.getByText("Rotate Nightly report").click();
      await page.getByLabel("The old key works").selectOption("for another hour");
      faults["organization"] = await accessibilityFaults(page);
      await page.getByRole("button", { name: "Rotate", exact: true }).click();
      expect((await keyShown.innerText()) === key).toBe(false);
      faults["rotated"] = await accessibilityFaults(page);
      expect([await own.count(), await own.filter({ hasText: "Rotated" }).count()]).toEqual([2, 1]);
      const old = own.filter({ hasText: "Rotated" });
      await confirmAction(old, /^Revoke/);
      expect(await page.getByRole("status").innerText()).toBe(
        "Revoked. Programs that use this key no longer have access.",
      );
      expect([await own.count(), await old.count()]).toEqual([1, 0]);
      expect(faults).toEqual({ keys: [], made: [], organization: [], rotated: [] });
    } finally {
      await chromium.close();
    }
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "without scripts, a key is shown once and no button is without effect",
  async () => {
    await using w = await world();
    await sceneWithPassword(w);
    const chromium = await openChromium();
    try {
      const context = await chromium.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await signIn(page, w.config.baseUrl, "/api-keys");
      await page.getByLabel("Name").fill("Without scripts");
      await page.getByRole("button", { name: "Create key" }).click();
      expect(await page.locator("#new-key").innerText()).toMatch(/^bva_usr_/);
      expect(await page.getByRole("button", { name: "Copy the key" }).count()).toBe(0);
    } finally {
      await chromium.close();
    }
  },
  60_000,
);
