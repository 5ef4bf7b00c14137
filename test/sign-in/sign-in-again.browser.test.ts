import { afterAll, beforeAll, expect, test } from "vitest";
import { addMs } from "../../core/shared/time.ts";
import { accessibilityFaults } from "../support/accessibility.ts";
import { PASSWORD, sceneWithPassword } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { openCommitted } from "../support/committed.ts";
import { OWNER } from "./second-factor-scene.ts";
import { startProvider, type ProviderProcess } from "../sso/provider-process.ts";
import { verifyDomain } from "../sso/scene.ts";
import { world } from "../support/world.ts";

const MINUTE = 60_000;

/** A service whose clock is shifted by minutes and keeps running. */
async function movableWorld(env: Record<string, string> = {}) {
  const clock = { ahead: 0 };
  const w = await world({ now: () => addMs(new Date().toISOString(), clock.ahead * MINUTE), env });
  return { w, clock, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

test.skipIf(noChromium !== undefined)(
  "restores a key form with its values after signing in again, 11 minutes after the sign-in, in Chromium",
  async () => {
    await using s = await movableWorld();
    const { organization } = await sceneWithPassword(s.w);
    await using browser = await openChromium();
    const page = await browser.newPage();
    await page.goto(`${s.w.config.baseUrl}/sign-in?next=/organizations/${organization.id}/api-keys`);
    await page.getByLabel("E-mail").fill(OWNER);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByLabel("Name").fill("Nightly report");
    await page.getByLabel("Role").selectOption("Editor");
    await page.getByLabel("Expires").selectOption("in a year");
    s.clock.ahead = 11;
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const [before] = await page.context().cookies();
    // A wrong password loses no values.
    await page.getByLabel("Password").fill("not the password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("You are signed in. Check what you entered").waitFor();
    const typed = async (label: string) => page.getByLabel(label).inputValue();
    expect([await typed("Name"), await typed("Role"), await typed("Expires")]).toEqual([
      "Nightly report",
      "editor",
      "365",
    ]);
    const after = (await page.context().cookies()).find(({ name }) => name === before?.name);
    expect(after?.value).not.toBe(before?.value);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("heading", { name: "Nightly report is ready" }).waitFor();
  },
);

let provider: ProviderProcess;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(() => provider[Symbol.asyncDispose]());

test.skipIf(noChromium !== undefined)(
  "the settings of single sign-on are there again after a new sign-in, but for the secret, in Chromium",
  async () => {
    await using s = await movableWorld({ SSO_ALLOW_PRIVATE_ADDRESSES: "1" });
    const { organization, owner } = await sceneWithPassword(s.w);
    await verifyDomain(s.w, organization.id, "acme.test");
    const path = `/organizations/${organization.id}/sso`;
    await using browser = await openChromium();
    const page = await browser.newPage();
    await page.goto(`${s.w.config.baseUrl}/sign-in?next=${path}`);
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    const { client_id, client_secret } = await provider.register(
      `${s.w.config.baseUrl}/sso/${organization.id}/callback`,
    );
    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByLabel("Client ID").fill(client_id);
    await page.getByLabel("Client secret").fill(client_secret);
    await page.getByLabel("Roles by group").fill("Analysts = editor");
    await page.getByLabel("Require single sign-on").check();
    s.clock.ahead = 11;
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    const held = await openCommitted(s.w.store).q.select().from(openCommitted(s.w.store).t.heldForms);
    expect(JSON.stringify(held)).not.toMatch(new RegExp(`${client_secret}|${client_id}|Analysts`));
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("You are signed in. Check what you entered").waitFor();
    const values = ["Issuer", "Client ID", "Client secret", "Roles by group"].map((label) =>
      page.getByLabel(label).inputValue(),
    );
    expect([...(await Promise.all(values)), await page.getByLabel("Require single sign-on").isChecked()]).toEqual([
      provider.issuer,
      client_id,
      "",
      "Analysts = editor",
      true,
    ]);
    await page.getByLabel("Client secret").fill(client_secret);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
  },
);
