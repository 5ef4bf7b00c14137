import { expect, test } from "vitest";
import { accessibilityFaults } from "./accessibility.ts";
import { givePassword, PASSWORD, signedInBrowser } from "./assistant.ts";
import { noChromium, openChromium, sayYes } from "./chromium.ts";
import { world } from "./world.ts";

test.skipIf(noChromium !== undefined)(
  "an owner invites somebody, who joins by the link, and settles what they may do, in Chromium",
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
      await sayYes(page, "Leave the organization");
      expect(await page.getByRole("alert").innerText()).toMatch(/must keep an owner/);
      await look("last-owner");
      await page.getByRole("link", { name: `Members of ${workspace.name}` }).click();
      await look("workspace");
      await page.getByRole("button", { name: "Remove the role of Ana in this workspace" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Removed. Access through their organization role stays.");
      await page.goto(members);
      await sayYes(page, "Remove Ana");
      expect(await page.getByText("Ana", { exact: true }).count()).toBe(0);
    } finally {
      await chromium.close();
    }
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
    expect((await owner.get(`${organization.path}/members`)).body.data).toHaveLength(1);
  },
  60_000,
);

test("pages of members are for owners, and of a workspace for its editors; others are refused or find nothing", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const organizationId = organization.id;
  await w.signIn("editor@acme.test", { organizationId, role: "editor" });
  await w.signIn("viewer@acme.test", { organizationId, role: "viewer" });
  await w.signIn("stranger@rival.test");
  const inOrganization = `${w.config.baseUrl}/organizations/${organizationId}/members`;
  const inWorkspace = `${w.config.baseUrl}/organizations/${organizationId}/workspaces/${workspace.id}/members`;
  const seen: Record<string, number[]> = {};
  for (const who of ["owner@acme.test", "editor@acme.test", "viewer@acme.test", "stranger@rival.test"]) {
    const browser = await signedInBrowser(w, who);
    seen[who] = [(await browser.get(inOrganization)).status, (await browser.get(inWorkspace)).status];
  }
  expect(seen).toEqual({
    "owner@acme.test": [200, 200],
    "editor@acme.test": [403, 200],
    "viewer@acme.test": [403, 403],
    "stranger@rival.test": [404, 404],
  });
});

test("names and e-mails of members are shown as text", async () => {
  // Attack: markup in a name that its owner chose, on the page of an administrator.
  await using w = await world();
  const { organization, workspace, owner } = await w.acme();
  const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  await w.store.write(async ({ q, t }) => void (await q.update(t.users).set({ name: markup })));
  const browser = await signedInBrowser(w, owner.email);
  const address = `${w.config.baseUrl}/organizations/${organization.id}`;
  for (const path of ["/members", `/workspaces/${workspace.id}/members`]) {
    const { status, text } = await browser.get(`${address}${path}`);
    expect([status, /<script>|<img/.test(text)]).toEqual([200, false]);
  }
});
