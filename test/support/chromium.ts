import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";

/** Paths of installed browsers. The first is the engine without windows, which takes less CPU. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

/** The Chromium that tests use. */
export const CHROMIUM_PATH = process.env["CHROMIUM_PATH"] ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[1];

/**
 * Why tests in a real browser are left out here; undefined where they run. Never left out in
 * continuous integration.
 */
export const noChromium: string | undefined =
  existsSync(CHROMIUM_PATH) || process.env["CI"] === "true" ? undefined : `there is no Chromium at ${CHROMIUM_PATH}`;
if (noChromium !== undefined) process.stdout.write(`Tests in a real browser are left out: ${noChromium}\n`);

/** One browser for all tests of this process: each launch costs a second of CPU time. */
let browser: Promise<Browser> | undefined;

/** Opens browser contexts for one test; they share no cookies and are discarded when closed. */
export async function openChromium() {
  const shared = await (browser ??= launch());
  const contexts = new Set<{ close(): Promise<void> }>();
  const newContext = async (options?: BrowserContextOptions) => {
    // Avoids checks in the middle of a colour transition.
    const context = await shared.newContext({ reducedMotion: "reduce", ...options });
    contexts.add(context);
    return context;
  };
  const close = async () => {
    await Promise.all([...contexts].map((context) => context.close()));
  };
  return {
    newContext,
    newPage: async (options?: BrowserContextOptions) => (await newContext(options)).newPage(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Opens the menu of the person's account, which every page of the console has. */
export async function openAccountMenu(page: Page): Promise<void> {
  await page.locator(".avatar > summary").click();
}

/** Opens the confirmation of a destructive action and confirms it. */
export async function confirmAction(scope: Page | Locator, name: string | RegExp): Promise<void> {
  const button = scope.getByRole("button", { name, includeHidden: true });
  await button.locator("xpath=ancestor::details[1]/summary").click();
  await button.click();
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM_PATH,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
