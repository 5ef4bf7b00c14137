import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { runAccountCommand } from "../../src/cli/account-command.ts";
import { accessibilityFaults, nextColourSchemes } from "../support/accessibility.ts";
import { createOAuthClient, PASSWORD, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { noChromium, openAccountMenu, openChromium } from "../support/chromium.ts";
import { world } from "../support/world.ts";

const OWNER = "owner@acme.test";
const NEW_PASSWORD = "another horse battery";

async function signIn(page: Page, baseUrl: string, password: string): Promise<void> {
  await page.goto(`${baseUrl}/sign-in?next=/account`);
  await page.getByLabel("E-mail").fill(OWNER);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

test.skipIf(noChromium !== undefined)(
  "shows the account, assistants and new-password pages in Chromium, light and dark, without scripts or axe findings",
  async () => {
    await using w = await world();
    await sceneWithPassword(w);
    await signedInBrowser(w, OWNER);
    await (await createOAuthClient(w, { client_name: "Desk Assistant" })).connect();
    const { baseUrl } = w.config;
    await using browser = await openChromium();
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    const look = async () => {
      for (const colorScheme of nextColourSchemes()) {
        await page.emulateMedia({ colorScheme });
        const wider = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
        expect([await page.title(), colorScheme, wider, await accessibilityFaults(page)]).toEqual([
          await page.title(),
          colorScheme,
          false,
          [],
        ]);
      }
    };
    await signIn(page, baseUrl, PASSWORD);
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await look();
    await page.getByRole("textbox", { name: "Name" }).fill("Ada Lovelace");
    await page.keyboard.press("Enter");
    await page.getByText("Saved.").waitFor();
    expect(await page.getByText("Chrome on Linux").count()).toBe(1);
    await page.getByRole("button", { name: "Sign out of A browser" }).first().click();
    await page.getByText("That browser is signed out.").waitFor();
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("The current password is wrong.").waitFor();
    await look();
    await openAccountMenu(page);
    await page.getByRole("link", { name: "Assistants" }).first().click();
    await page.getByRole("heading", { name: "Desk Assistant" }).waitFor();
    await look();
    await openAccountMenu(page);
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.keyboard.press("Enter");
    await page
      .getByText("Password changed. Your other browsers are signed out and all assistants are disconnected.")
      .waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    const environment = { ...w.config, PORT: Number(new URL(baseUrl).port) };
    const [link = ""] = (await runAccountCommand(w.store, ["reset", OWNER], environment)).text.split("\n");
    await page.goto(link);
    await look();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    await look();
    await page.goto(link);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await signIn(page, baseUrl, PASSWORD);
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    expect(complaints.filter((text) => !/40[04] \(/.test(text))).toEqual([]);
  },
  60_000,
);
