import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openChromium } from "../../test/support/chromium.ts";
import { freePort } from "../../test/support/killable-process.ts";

// How long a reader waits for the reference in Chromium, from navigation until the first operation of `/docs` can be read, and until
// it was opened: medians of five visits without a cache, of a service that runs. `--root DIR` measures another checkout.

const { values } = parseArgs({ options: { root: { type: "string", default: join(import.meta.dirname, "../..") } } });
const VISITS = 5;
/** In the list, and opened: of the pages of today, and of the viewer before them. */
const LISTED = ".operations a, .opblock-summary-control";
const OPENED = ".operation h2, .opblock-body .parameters-container";

const dataDir = await mkdtemp(join(tmpdir(), "reference-"));
const port = String(await freePort());
const service = spawn(process.execPath, ["--import", "tsx", "src/start.ts"], {
  cwd: values.root,
  timeout: 120_000,
  stdio: ["ignore", "ignore", "inherit"],
  env: {
    PATH: process.env["PATH"],
    DATA_DIR: dataDir,
    PORT: port,
    DEMO: "0",
    LOG_LEVEL: "error",
    SERVE: "core,search",
  },
});
let exitCode = 1;
// At its end, where it does not start, and after the time that it has.
service.once("exit", () => {
  rmSync(dataDir, { recursive: true });
  process.exit(exitCode);
});
const address = `http://localhost:${port}`;
while (!(await fetch(`${address}/readyz`).catch(() => undefined))?.ok) await sleep(100);
await using browser = await openChromium();
const visits = [];
for (let visit = 0; visit < VISITS; visit++) visits.push(await waits());
for (const what of ["listed", "opened"] as const) {
  const all = visits.map((visit) => visit[what]).toSorted((a, b) => a - b);
  process.stdout.write(`first operation ${what}: median ${all[2]} ms of ${all.join(", ")}\n`);
}
exitCode = 0;
service.kill();

/** The waits of one reader, whose browser keeps nothing. */
async function waits() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const begun = performance.now();
  await page.goto(`${address}/docs`, { waitUntil: "commit" });
  const first = page.locator(LISTED).first();
  await first.waitFor();
  const listed = performance.now();
  await first.click();
  await page.locator(OPENED).first().waitFor();
  const opened = performance.now();
  await context.close();
  return { listed: Math.round(listed - begun), opened: Math.round(opened - begun) };
}
