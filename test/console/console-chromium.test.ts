import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityFaults } from "../accessibility.ts";
import { givePassword, PASSWORD } from "../assistant.ts";
import { noChromium, openChromium } from "../chromium.ts";
import { demoConsole } from "./demo-console.ts";
import { world } from "../world.ts";

const VIEWS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [390, 1280].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);

/** What is wrong with a page as it stands: by axe, or because it is wider than the screen. */
async function faultsOf(page: Page, width: number): Promise<string[]> {
  const across = await page.evaluate<number>("document.documentElement.scrollWidth");
  return [...(await accessibilityFaults(page)), ...(across > width ? [`${across} wide`] : [])];
}

async function signIn(page: Page, baseUrl: string, email: string): Promise<void> {
  await page.goto(baseUrl);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).waitFor();
}

test.skipIf(noChromium !== undefined)(
  "who signs in sees the first chart at once, and its pages have no fault, light and dark, on a phone and a screen",
  async () => {
    await using s = await demoConsole();
    await givePassword(s.w, s.reader.id);
    const { baseUrl } = s.w.config;
    await using chromium = await openChromium();
    const faults: Record<string, string[]> = {};
    const page = await chromium.newPage();
    await signIn(page, baseUrl, s.reader.email);
    await page.getByRole("img", { name: "Presence over collects" }).waitFor();
    await page.locator(".heat td a").first().click();
    const answers = page.url();
    await page.locator(".answers tbody th a").first().click();
    await page.getByRole("heading", { name: "Brands in this answer" }).waitFor();
    const sections = ["visibility", "prompts", "sources", "perception", "brands", "audits"].map(
      (one) => `/${one}/${s.place}`,
    );
    const paths = [...sections, answers, page.url()];
    for (const { colorScheme, viewport } of VIEWS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      for (const path of paths) {
        await page.goto(new URL(path, baseUrl).href);
        await page.evaluate("document.querySelectorAll('.behind').forEach((one) => (one.open = true))");
        faults[`${path} ${colorScheme} ${viewport.width}`] = await faultsOf(page, viewport.width);
      }
    }
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
  },
  120_000,
);

test.skipIf(noChromium !== undefined)(
  "an empty workspace shows the steps to its first figures, by keyboard too",
  async () => {
    await using w = await world();
    const { owner, organization, workspace } = await w.acme();
    await givePassword(w, owner.id);
    await using chromium = await openChromium();
    const page = await chromium.newPage({ viewport: { width: 390, height: 800 } });
    await signIn(page, w.config.baseUrl, owner.email);
    const steps = ["Brand", "Prompts", "Price", "Run", "Connect an assistant"];
    expect(await page.locator(".checklist h2").allInnerTexts()).toEqual(steps);
    await page.goto(`${w.config.baseUrl}/visibility/${organization.id}/${workspace.id}`);
    expect(await page.locator(".checklist h2").allInnerTexts()).toEqual(steps);
    expect(await faultsOf(page, 390)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    for (let at = 0; at < 2; at++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.locator(".switch").getAttribute("open")).toBe("");
    expect(await faultsOf(page, 390)).toEqual([]);
  },
  60_000,
);
