import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openChromium } from "../../test/support/chromium.ts";
import { freePort } from "../../test/support/killable-process.ts";

// Time until a reader in Chromium can read the first operation of `/docs`, and until it is opened,
// from navigation: medians of five uncached visits to a running service. `--root DIR` measures
// another checkout.

const { values } = parseArgs({ options: { root: { type: "string", default: join(import.meta.dirname, "../..") } } });
const VISITS = 5;
/** Selectors of the listed and the opened operation, in today's pages and in the former viewer. */
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
// Cleans up at the end, after a failed start, and on timeout.
service.once("exit", () => {
  rmSync(dataDir, { recursive: true });
  process.exit(exitCode);
});
const address = `http://localhost:${port}`;
while (!(await fetch(`${address}/readyz`).catch(() => undefined))?.ok) await sleep(100);
await using browser = await openChromium();
const visits = [];
for (let visit = 0; visit < VISITS; visit++) visits.push(await measureWaits());
for (const what of ["listed", "opened"] as const) {
  const all = visits.map((visit) => visit[what]).toSorted((a, b) => a - b);
  process.stdout.write(`first operation ${what}: median ${all[2]} ms of ${all.join(", ")}\n`);
}
exitCode = 0;
service.kill();

/** Waits of one reader with an empty cache. */
async function measureWaits() {
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
