import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium, confirmAction } from "../support/chromium.ts";
import { platformScene } from "./scene.ts";

test.skipIf(noChromium !== undefined)(
  "a person connects a platform, activates an account, and disconnects, in Chromium",
  async () => {
    await using scene = await platformScene();
    await givePassword(scene.w, scene.owner.id);
    const chromium = await openChromium();
    try {
      const context = await chromium.newContext();
      const page = await context.newPage();
      const faults: Record<string, string[]> = {};
      await page.goto(scene.w.config.baseUrl + scene.page);
      await page.getByLabel("E-mail").fill(scene.owner.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Platform accounts of" }).waitFor();
      faults["empty"] = await accessibilityFaults(page);
      await page.getByRole("button", { name: "Connect Clipland" }).click();
      await page.getByRole("button", { name: "Deny" }).click();
      expect(await page.getByRole("alert").innerText()).toBe(
        "Not connected: permission was denied. Connect again to retry.",
      );
      faults["denied"] = await accessibilityFaults(page);
      const connect = page.getByRole("button", { name: "Connect Adverta" });
      await connect.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Allow" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Connected.");
      await page.getByRole("button", { name: "Activate Kestrova Search" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Activated.");
      await page
        .getByRole("row", { name: /Kestrova Search/ })
        .getByText("active", { exact: true })
        .waitFor();
      faults["connected"] = await accessibilityFaults(page);
      await page.emulateMedia({ colorScheme: "dark" });
      faults["dark"] = await accessibilityFaults(page);
      await page.getByRole("button", { name: "Disable Adverta" }).click();
      faults["disabled"] = await accessibilityFaults(page);
      await confirmAction(page, "Disconnect Adverta");
      expect(await page.getByRole("status").innerText()).toBe("Disconnected. Its tokens and accounts were deleted.");
      expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
      const { body } = await scene.owner.get(scene.rest);
      expect(body.data).toEqual([]);
    } finally {
      await chromium.close();
    }
  },
  60_000,
);
