import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PATH = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** Why tests in a real browser are left out here; undefined where they run. Never left out in continuous integration. */
export const noChromium: string | undefined =
  existsSync(PATH) || process.env["CI"] === "true" ? undefined : `there is no Chromium at ${PATH}`;
if (noChromium !== undefined) process.stdout.write(`Tests in a real browser are left out: ${noChromium}\n`);

export function openChromium() {
  return chromium.launch({
    executablePath: PATH,
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
