import { expect, test } from "vitest";
import { accessibilityFaults, nextColourSchemes } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium, confirmAction } from "../support/chromium.ts";
import { world } from "../support/world.ts";
import { scene, scimClient } from "./client.ts";

test.skipIf(noChromium !== undefined)(
  "lets an owner create a token, map a group and revoke the token in the browser without scripts",
  async () => {
    await using w = await world();
    const s = await scene(w);
    const ada = await s.user("ada@acme.test");
    await s.group("Staff", [ada.id]);
    await givePassword(w, s.owner.id);
    const chromium = await openChromium();
    try {
      const page = await (await chromium.newContext({ javaScriptEnabled: false })).newPage();
      await page.goto(`${w.config.baseUrl}/organizations/${s.organization.id}/scim`);
      await page.getByLabel("E-mail").fill("owner@acme.test");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      expect(await page.locator("#base").innerText()).toBe(`${w.config.baseUrl}/scim/v2`);
      await page.getByLabel("Name").fill("Directory");
      await page.getByRole("button", { name: "Create token" }).click();
      const token = await page.locator("#new-token").innerText();
      expect(page.url()).not.toContain(token);
      expect((await scimClient(w, token).get("/Users")).status).toBe(200);
      const role = page.getByRole("combobox", { name: "Role of Staff" });
      await role.selectOption({ label: "Viewer in Acme workspace" });
      await page.getByRole("button", { name: "Save the role of Staff" }).click();
      expect(await page.getByRole("status").innerText()).toContain("Saved.");
      expect(await role.inputValue()).toBe(`viewer ${s.workspace.id}`);
      const [group] = (await s.owner.get(`${s.organization.path}/scim-groups`)).body.data;
      expect(group).toMatchObject({ organization_role: null, workspace_role: "viewer", workspace_id: s.workspace.id });
      await role.selectOption({ label: "Editor of the organization" });
      await page.getByRole("button", { name: "Save the role of Staff" }).click();
      expect(await role.inputValue()).toBe("editor");
      expect(await page.locator("body").innerText()).not.toContain(token);
      await confirmAction(page, "Revoke Directory");
      expect(await page.getByRole("status").innerText()).toBe("Revoked. Requests with this token are now rejected.");
      expect((await scimClient(w, token).get("/Users")).status).toBe(401);
    } finally {
      await chromium.close();
    }
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "shows the provisioning page without axe findings, with a new token and with an error",
  async () => {
    await using w = await world();
    const s = await scene(w);
    const ada = await s.user("ada@acme.test");
    await s.group("Staff", [ada.id]);
    await s.group("Leads");
    await givePassword(w, s.owner.id);
    const chromium = await openChromium();
    try {
      for (const colorScheme of nextColourSchemes()) {
        const page = await (await chromium.newContext({ colorScheme })).newPage();
        await page.goto(`${w.config.baseUrl}/organizations/${s.organization.id}/scim`);
        await page.getByLabel("E-mail").fill("owner@acme.test");
        await page.getByLabel("Password").fill(PASSWORD);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Provisioning" }).waitFor();
        await page.getByLabel("Name").fill("Directory");
        await page.getByRole("button", { name: "Create token" }).click();
        await page.locator("#new-token").waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
        await page.getByLabel("Name").fill("   ");
        await page.getByRole("button", { name: "Create token" }).click();
        await page.getByRole("alert").waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
      }
    } finally {
      await chromium.close();
    }
  },
  60_000,
);
