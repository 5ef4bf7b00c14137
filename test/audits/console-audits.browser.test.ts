import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { chooseExtent } from "../support/proof.ts";
import { consoleScene } from "./console-scene.ts";

type Scene = Awaited<ReturnType<typeof consoleScene>>;

const chromium = noChromium === undefined ? await openChromium() : undefined;
afterAll(() => chromium?.close());

const SCREENS = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
] as const;
/** Each width and color scheme once; `PROOF=whole` covers all four combinations. */
const LOOKED_AT = SCREENS.slice(0, chooseExtent(4, 2));

async function signedIn({ w, owner, audit }: Scene, options: { javaScriptEnabled?: false } = {}): Promise<Page> {
  if (!chromium) throw new Error("there is no Chromium");
  const page = await chromium.newPage(options);
  await page.goto(audit);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.href.startsWith(audit));
  expect(page.url().startsWith(w.config.baseUrl)).toBe(true);
  return page;
}

/**
 * Faults at these addresses on a wide screen and a phone, light and dark, with everything expanded.
 */
async function faultsOf(page: Page, addresses: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    for (const { width, colorScheme } of LOOKED_AT) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const across = await page.evaluate<number>("document.documentElement.scrollWidth");
      const found = await accessibilityFaults(page);
      if (across > width) found.push(`${across} pixels wide`);
      faults.push(...found.map((one) => `${address} ${width} ${colorScheme}: ${one}`));
    }
  }
  return faults;
}

test.skipIf(!chromium)(
  "axe finds nothing on an audit, its pages and lists, on a wide screen and a phone, light and dark",
  async () => {
    await using s = await consoleScene();
    const page = await signedIn(s);
    const addresses = [
      s.audit,
      `${s.audit}?run=${s.runs.first}&min_score=101`,
      s.pageAt("machine"),
      s.pageAt("silent"),
    ];
    expect(await faultsOf(page, addresses)).toEqual([]);
  },
  60_000,
);

test.skipIf(!chromium)(
  "axe finds nothing on an audit that is new, in progress, or simulated",
  async () => {
    await using fresh = await consoleScene({ isNew: true });
    expect(await faultsOf(await signedIn(fresh), [fresh.audit])).toEqual([]);
    await using begun = await consoleScene({ isNew: true, isUnderWay: true, isSimulated: true });
    const addresses = [begun.audit, `${begun.audit}?run=${begun.runs.third}`];
    expect(await faultsOf(await signedIn(begun), addresses)).toEqual([]);
  },
  60_000,
);

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp, role: "link" | "combobox" | "button" | "spinbutton") {
  const wanted = page.getByRole(role, { name }).first();
  for (let presses = 0; presses < 150; presses++) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${String(name)}.`);
}

test.skipIf(!chromium)(
  "by keyboard and without scripts, a person finds failing pages, opens one and sets its type",
  async () => {
    await using s = await consoleScene();
    const page = await signedIn(s, { javaScriptEnabled: false });
    await tabTo(page, "Outcome", "combobox");
    await page.keyboard.type("Fai");
    await tabTo(page, "Score to", "spinbutton");
    await page.keyboard.type("50");
    await page.keyboard.press("Enter");
    await page.waitForURL(/outcome=fail/);
    expect(await page.getByRole("region", { name: "List of pages" }).getByRole("rowheader").allInnerTexts()).toEqual([
      "/machines/one\n“Shop”",
    ]);
    const row = page.getByRole("region", { name: "List of pages" }).locator("tbody").getByRole("link");
    await row.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "/machines/one", level: 1 }).waitFor();
    await tabTo(page, "Type", "combobox");
    await page.keyboard.type("prod");
    await tabTo(page, "Save", "button");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("status").innerText()).toContain("Saved.");
    expect(await page.getByLabel("Type").inputValue()).toBe("product");
    const { body } = await s.owner.get(`${s.path}/pages/${s.pages.machine}`);
    expect(body.type_corrected).toBe("product");
  },
  60_000,
);
