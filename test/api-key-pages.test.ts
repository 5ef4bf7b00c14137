import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityFaults } from "./accessibility.ts";
import { PASSWORD, sceneWithPassword, signedInBrowser } from "./assistant.ts";
import { noChromium, openChromium, sayYes } from "./chromium.ts";
import { world } from "./world.ts";
import { committed } from "./committed.ts";

const OWNER = "owner@acme.test";

async function signIn(page: Page, baseUrl: string, path: string): Promise<void> {
  await page.goto(baseUrl + path);
  await page.getByLabel("E-mail").fill(OWNER);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
}

test.skipIf(noChromium !== undefined)(
  "a person makes a key, copies it, rotates and revokes it, and an owner sees everybody's, in Chromium",
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
      // Fault: a role that is chosen, and that a key for everything does not take.
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
      await sayYes(old, /^Revoke/);
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
  "without scripts a key is shown once all the same, and no button is there that does nothing",
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

test("a form that is sent again gives no secret and makes no second key; what is wrong is said, and typed text kept", async () => {
  // Attack: reading a key from a page that was left open, by sending its form again.
  await using w = await world();
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/api-keys`);
  const send = (fill: Record<string, string>) => browser.submit(page, { action: /\/create$/, fill });
  const refused = await send({ name: " " });
  expect([refused.status, /role="alert"/.test(refused.text)]).toEqual([400, true]);
  const first = await send({ name: "Report" });
  const again = await send({ name: "Report" });
  expect([/bva_usr_\w{49}/.test(first.text), /bva_usr_\w{49}/.test(again.text)]).toEqual([true, false]);
  expect(again.url.search).toBe("?done=create");
  const { q, t } = committed(w.store);
  expect((await q.select().from(t.apiKeys)).filter(({ name }) => name === "Report")).toHaveLength(1);
});

test("who does not own the organization has no page of its keys, and ends none of them", async () => {
  // Attack: addressing the pages and forms of an organization in which one may only look, or of somebody else's.
  await using w = await world();
  const { owner, organization } = await sceneWithPassword(w);
  const reach = { kind: "organization", organization_id: organization.id };
  const { id } = (await owner.post("/v1/api-keys", { name: "Theirs", ...reach })).body;
  await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  await w.signIn("mallory@rival.test");
  const address = new URL(`/organizations/${organization.id}/api-keys`, w.config.baseUrl);
  for (const [email, seen, ended] of [
    ["viewer@acme.test", 403, 404],
    ["mallory@rival.test", 404, 404],
  ] as const) {
    const browser = await signedInBrowser(w, email);
    const page = await browser.get(address);
    expect([email, page.status, page.text.includes("Theirs")]).toEqual([email, seen, false]);
    for (const deed of ["revoke", "rotate"]) {
      const fields = new URLSearchParams({ api_key_id: id, grace_seconds: "0" });
      const sent = await browser.post(new URL(`${address.pathname}/${deed}`, address), fields);
      expect([email, deed, sent.status]).toEqual([email, deed, ended]);
    }
  }
  expect((await owner.get(`/v1/api-keys/${id}`)).body.status).toBe("active");
});
