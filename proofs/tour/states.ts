import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openChromium } from "../../test/support/chromium.ts";
import { insertPages } from "../../bench/pages-scene.ts";
import { demoConsole } from "../../test/console/demo-console.ts";
import { addressOf, CONSOLE_PAGES } from "../../test/console/pages.ts";
import { WITHOUT_LIMITS, world } from "../../test/support/world.ts";
import { failCollect, insertRunningCollect } from "./collects.ts";
import { openSignedInPage, WIDTHS } from "./signed-in.ts";

// Takes screenshots of every console page in every state, for visual review: `npm run proof --
// pictures FOLDER [STATE…]`.

/** Pages linked from a section: the first match. */
const DETAILS = [
  ["answers", ".answers tbody th a"],
  ["actions", "main a[href^='/actions/']:not([href*='.csv'])"],
  ["audits", "main tbody a[href^='/audits/']"],
  ["analyses", "main tbody a[href^='/analyses/']"],
  ["analyses", "main a[href^='/new/']"],
] as const;

const [folder, ...only] = process.argv.slice(2);
if (folder === undefined) throw new Error("Say where the pictures go: npm run proof -- pictures FOLDER [STATE…]");
const isWanted = (...states: string[]) => only.length === 0 || states.some((one) => only.includes(one));
const chromium = await openChromium();
await mkdir(folder, { recursive: true });
let taken = 0;

if (isWanted("empty")) {
  await using w = await world({ env: WITHOUT_LIMITS });
  const { owner, organization, workspace } = await w.acme();
  const page = await openSignedInPage(chromium, w, owner);
  await takePages("empty", page, { organizationId: organization.id, workspaceId: workspace.id });
}
if (isWanted("demo", "running", "error")) {
  await using s = await demoConsole();
  const page = await openSignedInPage(chromium, s.w, s.reader);
  if (isWanted("demo")) await takePages("demo", page, s.analysis);
  if (isWanted("running", "error")) {
    const collectId = await insertRunningCollect(s);
    if (isWanted("running")) await takePages("running", page, s.analysis);
    await failCollect(s, collectId);
  }
  if (isWanted("error")) {
    await takePages("error", page, s.analysis);
    await takeErrorPages(page, s.analysis);
  }
}
if (isWanted("large")) {
  await using w = await world({ env: WITHOUT_LIMITS });
  const { owner, organization, workspace } = await w.acme();
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  await w.store.write((db) => insertPages(db, { ...place, userId: owner.id }), { isLong: true });
  await takePages("large", await openSignedInPage(chromium, w, owner), place);
}
await chromium.close();
console.info(`${taken} pictures in ${folder}`);
// The shared browser stays open until the process exits.
process.exit(0);

async function takePages(state: string, page: Page, place: Parameters<typeof addressOf>[1]): Promise<void> {
  const at = (name: string) => new URL(addressOf(name, place), page.url()).href;
  for (const name of Object.keys(CONSOLE_PAGES)) await takePicture(page, at(name), `${state}-${name}`);
  for (const [index, [name, link]] of DETAILS.entries()) {
    await page.goto(at(name));
    const found = page.locator(link);
    if ((await found.count()) === 0) continue;
    const href = await found.first().getAttribute("href");
    await takePicture(page, new URL(href ?? "", page.url()).href, `${state}-${name}-${index + 1}`);
  }
}

/** Screenshots of missing objects, and of forms with errors. */
async function takeErrorPages(page: Page, place: Parameters<typeof addressOf>[1]): Promise<void> {
  const at = (name: string) => new URL(addressOf(name, place), page.url()).href;
  await takePicture(page, `${at("visibility")}?collect=nowhere`, "error-no-such-collect");
  await takePicture(page, at("visibility").replace(/[^/]+$/, "nowhere"), "error-not-found");
  await takeRejectedForm(page, at("brands"), "error-form-brands");
  await page.goto(at("analyses"));
  await page.locator("main a[href^='/new/']").first().click();
  await page.locator("main a[href$='/what']").first().click();
  await page.locator("main button.primary").click();
  await takeRejectedForm(page, page.url(), "error-form-analysis");
}

/** Submits the last form of a page without the browser's validation. */
async function takeRejectedForm(page: Page, address: string, file: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(
    "[...document.querySelectorAll('main form')].filter((form) => form.method === 'post').at(-1).submit()",
  );
  await page.waitForLoadState();
  await takeAllSizes(page, file);
}

async function takePicture(page: Page, address: string, file: string): Promise<void> {
  await page.goto(address);
  await takeAllSizes(page, file);
}

async function takeAllSizes(page: Page, file: string): Promise<void> {
  for (const [width, size] of Object.entries(WIDTHS)) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await writeFile(
        join(folder ?? "", `${file}-${width}-${colorScheme}.png`),
        await page.screenshot({ fullPage: true }),
      );
      taken += 1;
    }
  }
}
