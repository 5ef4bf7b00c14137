import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openChromium } from "../../test/support/chromium.ts";
import { demoConsole } from "../../test/console/demo-console.ts";
import { addressOf } from "../../test/console/pages.ts";
import { world } from "../../test/support/world.ts";
import { failCollect, insertRunningCollect } from "./collects.ts";
import { withPalette } from "./palette-png.ts";
import { PICTURES, STATES, type Picture } from "./pictures.ts";
import { openSignedInPage, WIDTHS } from "./signed-in.ts";

// Takes the screenshots of docs/tour.md from the demo with a small palette, and writes the page.

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/tour");

const s = await demoConsole();
const empty = await world();
const { owner } = await empty.acme();
const chromium = await openChromium();
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const visitors = {
  demo: await openSignedInPage(chromium, s.w, s.reader),
  empty: await openSignedInPage(chromium, empty, owner),
};
const sizes: number[] = [];
let collectId = "";
for (const state of STATES) {
  if (state === "running") collectId = await insertRunningCollect(s);
  if (state === "failed") await failCollect(s, collectId);
  for (const picture of PICTURES) if ((picture.of ?? "demo") === state) sizes.push(await takePicture(picture));
}
await writeFile(join(ROOT, "docs/tour.md"), tour());
await chromium.close();
console.info(`${sizes.length} pictures, the largest of ${Math.round(Math.max(...sizes) / 1000)} kB`);
await s[Symbol.asyncDispose]();
await empty[Symbol.asyncDispose]();
// The shared browser stays open until the process exits.
process.exit(0);

/** Takes one screenshot; returns its size in bytes. */
async function takePicture({
  file,
  of = "demo",
  location,
  open = [],
  part,
  width = "screen",
  scheme = "light",
}: Picture): Promise<number> {
  const page = visitors[of === "empty" ? "empty" : "demo"];
  const { baseUrl } = (of === "empty" ? empty : s.w).config;
  await page.setViewportSize(WIDTHS[width]);
  await page.emulateMedia({ colorScheme: scheme });
  const address = location.startsWith("/") ? location : addressOf(location, s.analysis);
  await page.goto(new URL(address, baseUrl).href);
  for (const link of open) {
    const href = await page.locator(link).first().getAttribute("href");
    if (href === null) throw new Error(`${file}: ${link} leads nowhere`);
    await page.goto(new URL(href, page.url()).href);
  }
  if (part !== undefined) await page.evaluate(`document.querySelector(${JSON.stringify(part)}).scrollIntoView()`);
  const picture = withPalette(await page.screenshot());
  await writeFile(join(FOLDER, `${file}.png`), picture);
  return picture.length;
}

function tour(): string {
  const parts = PICTURES.map(
    ({ file, title, caption }) => `## ${title}\n\n${caption}\n\n![${title}](tour/${file}.png)\n`,
  );
  return `# A tour of the console\n\nLook through every page of the console. The screenshots show the demo, so every figure in them is simulated. \`npm run proof -- tour\` retakes them.\n\n${parts.join("\n")}`;
}
