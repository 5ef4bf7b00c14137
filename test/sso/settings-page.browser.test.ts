import { afterAll, beforeAll, expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { PASSWORD, sceneWithPassword } from "../support/assistant.ts";
import { noChromium, openChromium, confirmAction } from "../support/chromium.ts";
import { world } from "../support/world.ts";
import { startProvider, type ProviderProcess } from "./provider-process.ts";
import { verifyDomain } from "./scene.ts";

let provider: ProviderProcess;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(() => provider[Symbol.asyncDispose]());

test.skipIf(noChromium !== undefined)(
  "an owner sets the provider up in Chromium, tests it, tries it, requires it and removes it",
  async () => {
    await using w = await world({ env: { SSO_ALLOW_PRIVATE_ADDRESSES: "1" } });
    const { organization, owner } = await sceneWithPassword(w);
    const path = `/organizations/${organization.id}/sso`;
    await using browser = await openChromium();
    const page = await (await browser.newContext({ colorScheme: "dark" })).newPage();
    await page.goto(`${w.config.baseUrl}/sign-in?next=${path}`);
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Single sign-on" }).waitFor();
    await page.getByText("Single sign-on does not work yet.").waitFor();
    await verifyDomain(w, organization.id, "acme.test");

    const redirectUri = await page.locator("#address-0").textContent();
    expect(redirectUri).toBe(`${w.config.baseUrl}/sso/${organization.id}/callback`);
    const { client_id, client_secret } = await provider.register(redirectUri ?? "");
    await page.getByLabel("Issuer").fill(`${provider.issuer}/wrong`);
    await page.getByLabel("Client ID").fill(client_id);
    await page.getByLabel("Client secret").fill(client_secret);
    await page.getByLabel("Roles by group").fill("Analysts = editor\nTeam = A = viewer");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("link", { name: "Test the connection" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/^The provider cannot be used: its metadata is not at/);

    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByLabel("Client secret").fill(client_secret);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Test the connection" }).click();
    await page.getByText("The connection works: the provider responds, and its metadata and keys are valid.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole("link", { name: "Try signing in" }).click();
    await page.getByLabel("Name").fill("boss");
    await page.getByRole("button", { name: "Be that" }).click();
    await page.getByRole("heading", { name: "Single sign-on" }).waitFor();
    await page.getByLabel("Require single sign-on").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("for all but owners").waitFor();
    expect((await owner.get(`${organization.path}/sso`)).body).toMatchObject({
      issuer: provider.issuer,
      has_client_secret: true,
      scopes: ["openid", "email", "profile"],
      group_roles: [
        { group: "Analysts", role: "editor" },
        { group: "Team = A", role: "viewer" },
      ],
      makes_accounts: true,
      is_required: true,
      last_used_at: expect.any(String),
    });
    await page.getByRole("link", { name: "SAML 2.0" }).click();
    await page.getByText("Saving this replaces the OpenID Connect settings.").waitFor();
    await confirmAction(page, "Remove single sign-on");
    await page.getByText("Removed.").waitFor();
    expect((await owner.get(`${organization.path}/sso`)).status).toBe(404);
  },
  60_000,
);
