import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { tagScene } from "../catalog/tag-scene.ts";

test.skipIf(noChromium !== undefined)(
  "a person stars a workspace and an analysis in the settings, and reads the audit log by its filters, in Chromium",
  async () => {
    await using s = await tagScene();
    const { w, owner, organization, workspace } = s;
    await givePassword(w, owner.id);
    const chromium = await openChromium();
    const faults: Record<string, string[]> = {};
    try {
      const page = await (await chromium.newContext()).newPage();
      const look = async (name: string) => {
        faults[name] = await accessibilityFaults(page);
        const shots = process.env["SHOTS"];
        if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
      };
      await page.goto(w.config.baseUrl);
      await page.getByLabel("E-mail").fill(owner.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("heading", { name: "Your organizations and workspaces" }).waitFor();
      await page.getByRole("button", { name: `Favourite: ${workspace.name}` }).click();
      await page
        .getByRole("region", { name: "Analyses of" })
        .getByRole("button", { name: "Favourite" })
        .first()
        .click();
      const favourites = page.getByRole("region", { name: "Favourites" });
      expect(await favourites.getByRole("listitem").count()).toBe(2);
      await look("overview");
      await favourites.getByRole("button", { name: `Favourite: ${workspace.name}` }).click();
      expect(await favourites.getByRole("listitem").count()).toBe(1);
      await page.emulateMedia({ colorScheme: "dark" });
      await look("overview-dark");

      await w.deps.audit.flush();
      await page.goto(`${w.config.baseUrl}/organizations/${organization.id}`);
      await page.getByRole("link", { name: "Audit log" }).click();
      await look("audit-log");
      expect(await page.getByRole("row").filter({ hasText: "Signed in" }).count()).toBe(1);
      await page.getByLabel("What").selectOption("listMembers");
      await page.getByRole("textbox", { name: "From" }).fill("2020-01-01");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByLabel("What").waitFor();
      expect(await page.getByRole("row").filter({ hasText: "Signed in" }).count()).toBe(0);
      expect(await page.getByLabel("What").inputValue()).toBe("listMembers");
      await page.emulateMedia({ colorScheme: "light" });
      await look("audit-log-filtered");
    } finally {
      await chromium.close();
    }
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
  },
  60_000,
);
