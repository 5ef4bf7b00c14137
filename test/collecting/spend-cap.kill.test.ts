import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { collectScene } from "./scene.ts";
import { startVendor, vendorSources } from "./vendor.ts";
import { capFor, keywords, watchCaps, readSpending } from "./spend-cap-cases.ts";

test("a worker that is killed while tasks wait neither passes the cap of an analysis nor leaves money reserved", async () => {
  await using vendor = await startVendor({ delayMs: 5, polled: (_, nth) => (nth < 2 ? "pending" : "done") });
  await using s = await collectScene({ env: { SERVE: "core" } });
  const passed = await watchCaps(s);
  const analysis = await s.create(keywords(9), { max_spend_usd: capFor(6) });
  const program = join(import.meta.dirname, "task-process.ts");
  const command = ["--import", "tsx", program, s.config.DATA_DIR, vendor.url, "same_key"];
  const child = spawn(process.execPath, command, { stdio: "ignore", env: { PATH: process.env["PATH"] } });
  while (Object.keys(vendor.billed()).length < 2) await sleep(2);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect((await readSpending(s, analysis))?.reserved).toBeGreaterThan(0);
  const sources = vendorSources(vendor.url, "same_key", { VENDOR_MOST_USD: "1" });
  await using _next = await s.otherWorker(5000, undefined, sources);
  expect(await s.ended(analysis)).toMatchObject({ status: "partial", succeeded: 6, failed: 3 });
  expect(Object.values(vendor.billed())).toEqual(Array.from({ length: 6 }, () => 1));
  expect(await readSpending(s, analysis)).toMatchObject({ spent: 4_500_000, reserved: 0 });
  expect(await passed()).toBe(0);
});
