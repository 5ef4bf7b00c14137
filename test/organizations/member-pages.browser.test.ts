import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium, confirmAction } from "../support/chromium.ts";
import { world } from "../support/world.ts";

test.skipIf(noChromium !== undefined)(
  "an owner invites a person, who joins by the link, and sets their rights, in Chromium",
  async () => {
    await using w = await world();
    const { owner, organization, workspace } = await w.acme();
    await givePassword(w, owner.id);
    const members = `${w.config.baseUrl}/organizations/${organization.id}/members`;
    const chromium = await openChromium();
    const faults: Record<string, string[]> = {};
    try {
      const page = await (await chromium.newContext()).newPage();
      const look = async (name: string) => {
        faults[name] = await accessibilityFaults(page);
        const shots = process.env["SHOTS"];
        if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
      };
      await page.goto(members);
      await page.getByLabel("E-mail").fill(owner.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Members", exact: true }).waitFor();
      await look("members");
      await page.getByLabel("E-mail").fill("ana@acme.test");
      await page.getByLabel("Role in the organization").selectOption("guest");
      await page.getByLabel("Workspace to share").selectOption(workspace.id);
      await page.getByRole("button", { name: "Create link" }).click();
      const link = await page.locator("#link").innerText();
      await look("invited");
      await page.goto(members);
      expect(await page.locator("#link").count()).toBe(0);

      const ana = await (await chromium.newContext({ colorScheme: "dark" })).newPage();
      await ana.goto(link);
      faults["invitation"] = await accessibilityFaults(ana);
      if (process.env["SHOTS"])
        await ana.screenshot({ path: `${process.env["SHOTS"]}/invitation.png`, fullPage: true });
      await ana.getByLabel("Name").fill("Ana");
      await ana.getByLabel("Password").fill("a new long password");
      await ana.getByRole("button", { name: "Create account and join" }).click();
      await ana.getByRole("heading", { name: "Hello, Ana" }).waitFor();

      await page.reload();
      await page.getByRole("combobox", { name: "Role of Ana" }).selectOption("viewer");
      await page.getByRole("button", { name: "Set role of Ana" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Saved. It takes effect on their next request.");
      await page.getByRole("button", { name: "Suspend Ana" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Suspended. They have no access until you resume them.");
      await page.emulateMedia({ colorScheme: "dark" });
      await look("suspended");
      expect(await ana.goto(`${w.config.baseUrl}/organizations/${organization.id}`).then((r) => r?.status())).toBe(404);
      await confirmAction(page, "Leave the organization");
      expect(await page.getByRole("alert").innerText()).toMatch(/must keep an owner/);
      await look("last-owner");
      await page.getByRole("link", { name: `Members of ${workspace.name}` }).click();
      await look("workspace");
      await page.getByRole("button", { name: "Remove the role of Ana in this workspace" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Removed. Access through their organization role stays.");
      await page.goto(members);
      await confirmAction(page, "Remove Ana");
      expect(await page.getByText("Ana", { exact: true }).count()).toBe(0);
    } finally {
      await chromium.close();
    }
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
    expect((await owner.get(`${organization.path}/members`)).body.data).toHaveLength(1);
  },
  60_000,
);
