import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { accessibilityFaults } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { startSamlProvider } from "./provider.ts";
import { samlScene } from "./scene.ts";

// Chromium between two sites: the service at localhost, the provider at 127.0.0.1.
// The other tests assume its cookie behaviour on cross-site posts.

let idp: Awaited<ReturnType<typeof startSamlProvider>>;
let chromium: Awaited<ReturnType<typeof openChromium>>;
beforeAll(async () => {
  if (noChromium !== undefined) return;
  [idp, chromium] = await Promise.all([startSamlProvider(), openChromium()]);
});
afterAll(async () => {
  await chromium?.close();
  await idp?.[Symbol.asyncDispose]();
});

test.skipIf(noChromium !== undefined)(
  "signs a person in through the provider in Chromium, begun at the service and at the provider",
  async () => {
    await using s = await samlScene(idp, { accepts_idp_initiated: true });
    const context = await chromium.newContext();
    const page = await context.newPage();
    await page.goto(s.startUrl("?relay_path=/organizations"));
    await page.waitForURL(`${s.w.config.baseUrl}/organizations`);
    expect(await page.getByText("alice@acme.test").count()).toBe(1);
    const cookies = await context.cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toContainEqual([
      "bva_session",
      true,
      "Lax",
    ]);
    expect(cookies.map(({ name }) => name)).not.toContain("bva_sso_code");
    const fresh = await chromium.newContext();
    const other = await fresh.newPage();
    await other.goto(idp.launchUrl(s.service, "/organizations"));
    const goOn = other.getByRole("button", { name: "Continue as alice@acme.test" });
    await goOn.waitFor();
    expect(await accessibilityFaults(other)).toEqual([]);
    await goOn.click();
    await other.waitForURL(`${s.w.config.baseUrl}/organizations`);
    expect(await other.getByText("alice@acme.test").count()).toBe(1);
    await context.close();
    await fresh.close();
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "an owner sets SAML up from the provider's metadata, and a person comes in",
  async () => {
    await using s = await samlScene(idp);
    await s.owner.delete(`${s.organization.path}/sso`);
    await givePassword(s.w, s.owner.id);
    const context = await chromium.newContext();
    const page = await context.newPage();
    await page.goto(`${s.w.config.baseUrl}/organizations/${s.organization.id}/sso?protocol=saml`);
    await page.getByLabel("E-mail").fill(s.owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Fill in from the provider’s metadata").click();
    await page.getByLabel("Metadata", { exact: false }).first().fill("<a/>");
    await page.getByRole("button", { name: "Read metadata" }).click();
    expect(await page.getByRole("alert").innerText()).toContain("must be of one identity provider");
    await page.getByLabel("Metadata", { exact: false }).first().fill(idp.metadata);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Read metadata" }).click();
    expect(await page.getByRole("status").innerText()).toBe(
      "Metadata read. Nothing is saved yet: review the settings below, then save.",
    );
    expect(await page.getByLabel("Entity ID of the provider").inputValue()).toBe(idp.issuer);
    expect(await page.getByLabel("Create an account on first sign-in").isChecked()).toBe(true);
    expect((await s.owner.get(`${s.organization.path}/sso`)).status).toBe(404);
    await page.getByLabel("Trust e-mail addresses that the provider does not mark as verified").check();
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.getByRole("status").innerText()).toBe("Saved.");
    await context.close();
    expect((await s.come(new Browser())).text).toContain("alice@acme.test");
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "rejects in Chromium the response to another browser's request",
  async () => {
    // Attack: login cross-site request forgery with an answer to the attacker's own request.
    await using s = await samlScene(idp);
    const { SAMLResponse, RelayState, action } = await s.answerFor(new Browser());
    const context = await chromium.newContext();
    const page = await context.newPage();
    await page.goto(`${idp.address}/nothing`);
    const html = `<form method="post" action="${action}"><input name="SAMLResponse" value="${SAMLResponse}"><input name="RelayState" value="${RelayState}"><button>Go</button></form>`;
    await page.setContent(html);
    await page.getByRole("button").click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").innerText()).toBe(
      "This sign-in has ended, or was started in another browser. Sign in again from here.",
    );
    expect((await context.cookies()).map(({ name }) => name)).not.toContain("bva_session");
    expect(await accessibilityFaults(page)).toEqual([]);
    await context.close();
  },
  60_000,
);
