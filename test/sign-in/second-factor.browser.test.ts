import { eq } from "drizzle-orm";
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { createOAuthClient, PASSWORD, REDIRECT, sceneWithPassword } from "../support/assistant.ts";
import { noChromium, openAccountMenu, openChromium, confirmAction } from "../support/chromium.ts";
import { openCommitted } from "../support/committed.ts";
import { createClock, totpCode, OWNER } from "./second-factor-scene.ts";
import { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

async function typePassword(page: Page) {
  await page.getByLabel("E-mail").fill(OWNER);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
}

/** Records axe findings, console errors and horizontal overflow of each page. */
function watch(page: Page) {
  const faults: Record<string, unknown> = {};
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  const look = async (name: string) => {
    const wider = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
    faults[name] = [...(await accessibilityFaults(page)), ...(wider ? ["wider than the window"] : [])];
    const shots = process.env["SHOTS"];
    if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  };
  const expectNone = () => {
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
    // Typing before the page has loaded moves the focus, and Chromium then logs that it skipped
    // autofocus.
    expect(complaints.filter((text) => !/40[01] \(|^Autofocus processing was blocked/.test(text))).toEqual([]);
  };
  return { look, expectNone };
}

/** An authenticator without a screen, as a security key is. */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "usb", hasResidentKey: false, hasUserVerification: false } as const;
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    setCounter: async (signCount: number) => {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      for (const credential of credentials) {
        const { credentialId } = credential;
        await session.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
        // Chromium needs rpId to add a credential but does not always report it.
        const own = { rpId: "localhost", ...credential, signCount };
        await session.send("WebAuthn.addCredential", { authenticatorId, credential: own });
      }
    },
  };
}

const passkeysOf = (w: World) => {
  const { q, t } = openCommitted(w.store);
  return q.select().from(t.passkeys);
};

test.skipIf(noChromium !== undefined)(
  "sets up an app and asks for it at an assistant's first call, in Chromium, light and dark, without axe findings",
  async () => {
    const { now, forward } = createClock(Date.now());
    await using w = await world({ now });
    await sceneWithPassword(w);
    await using chromium = await openChromium();
    const page = await chromium.newPage({ viewport: { width: 390, height: 844 } });
    const { look, expectNone } = watch(page);
    await page.goto(`${w.config.baseUrl}/account`);
    await typePassword(page);
    await page.getByRole("heading", { name: "Second factor" }).waitFor();
    await look("factor-account");
    await page.getByRole("link", { name: "Set up" }).click();
    await look("factor-off");
    await page.getByRole("button", { name: "Set up an app" }).click();
    await page.getByRole("img", { name: "QR code of the key below" }).waitFor();
    await look("factor-app");
    const secret = (await page.locator("#secret").innerText()).replaceAll(" ", "");
    await page.getByRole("textbox", { name: "Code" }).fill("000000");
    await page.keyboard.press("Enter");
    await page.getByText("The code was not right.").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await look("factor-app-wrong");
    await page.getByRole("textbox", { name: "Code" }).fill(totpCode(secret, now()));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    await look("factor-codes");
    const [recoveryCode = ""] = (await page.locator("#codes").innerText()).split("\n");
    await page.getByRole("link", { name: "I have kept them" }).click();
    await page.getByText("10 left.").waitFor();
    await look("factor-on");
    await page.emulateMedia({ colorScheme: "light" });
    forward(601);
    await page.reload();
    await page.getByText("Enter your password to go on.").waitFor();
    await look("factor-password");

    const probe = await createOAuthClient(w);
    const signIn = async (code: string, javaScriptEnabled: boolean) => {
      const other = await (await chromium.newContext({ javaScriptEnabled })).newPage();
      await other.goto(probe.authorizeUrl());
      await typePassword(other);
      await other.getByRole("heading", { name: "Second step" }).waitFor();
      await other.getByRole("textbox", { name: "Code" }).fill("000000");
      await other.keyboard.press("Enter");
      await other.getByText("That was not right, or was used before.").waitFor();
      const faults = javaScriptEnabled ? await accessibilityFaults(other) : [];
      expect(faults).toEqual([]);
      await other.getByRole("textbox", { name: "Code" }).fill(code);
      await other.keyboard.press("Enter");
      await other.getByRole("heading", { name: "Connect Probe?" }).waitFor();
      const arrival = other.waitForRequest((request) => request.url().startsWith(REDIRECT));
      await other.getByRole("button", { name: "Allow", exact: true }).click();
      const { searchParams } = new URL((await arrival).url());
      return (await probe.redeem(searchParams.get("code") ?? "")).status;
    };
    expect([await signIn(totpCode(secret, now()), false), await signIn(recoveryCode, true)]).toEqual([200, 200]);
    expectNone();
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "adds, names, uses and removes a passkey in Chromium, and rejects a cloned one",
  async () => {
    // Attack: signing in with a copy of a security key, which its counter shows.
    await using w = await world();
    await sceneWithPassword(w);
    await using chromium = await openChromium();
    const context = await chromium.newContext();
    const page = await context.newPage();
    const { look, expectNone } = watch(page);
    const authenticator = await addAuthenticator(context, page);
    await page.goto(`${w.config.baseUrl}/account/second-factor`);
    await typePassword(page);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("Name").fill("Blue key");
    await look("passkey-new");
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    await page.getByRole("link", { name: "I have kept them" }).click();
    await page.getByRole("heading", { name: "Blue key" }).waitFor();
    await page.getByLabel("Name of Blue key").fill("Red key");
    await page.getByRole("button", { name: "Save Blue key" }).click();
    await page.getByRole("heading", { name: "Red key" }).waitFor();
    await look("passkey-listed");

    // The authenticator already has a passkey of this account.
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByText("No passkey was used. Try again.").waitFor();

    const signOut = async () => {
      await openAccountMenu(page);
      await page.getByRole("button", { name: "Sign out" }).click();
    };
    const toSecondStep = async () => {
      await page.goto(`${w.config.baseUrl}/sign-in?next=/account/second-factor`);
      await typePassword(page);
      await page.getByRole("heading", { name: "Second step" }).waitFor();
    };
    await signOut();
    await toSecondStep();
    await look("passkey-second-step");
    const [before] = await passkeysOf(w);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Red key" }).waitFor();
    const [after] = await passkeysOf(w);
    expect([before?.lastUsedAt, (after?.counter ?? 0) > (before?.counter ?? 0)]).toEqual([null, true]);
    expect([after?.lastUsedAt, after?.transports]).toEqual([expect.any(String), ["usb"]]);

    await signOut();
    await authenticator.setCounter(0);
    await toSecondStep();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("That was not right, or was used before.").waitFor();
    await authenticator.setCounter(1000);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Red key" }).waitFor();
    await confirmAction(page, "Remove Red key");
    await page
      .getByText("Off. With one, a stolen password alone does not open your account.", { exact: false })
      .waitFor();
    const { q, t } = openCommitted(w.store);
    const [user] = await q.select().from(t.users).where(eq(t.users.email, OWNER));
    expect([await passkeysOf(w), user?.secondFactorAt, await q.select().from(t.recoveryCodes)]).toEqual([[], null, []]);
    expectNone();
  },
  60_000,
);
