import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

const kill = (signal: string) => `process.kill(process.pid, "${signal}");`;

/**
 * A process that ends by `stop`, and does `then` once that is in place. Its exit code and the
 * messages of its log.
 */
async function lifeOf(stop: string, then: string) {
  const code = `
    import { pino } from "pino";
    import { exitOnSignal } from "./src/process/end-process.ts";
    setInterval(() => undefined, 1000);
    exitOnSignal(${stop}, pino());
    ${then}`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (written += part));
  const [code_] = await once(child, "close");
  return { code: code_, log: [...written.matchAll(/"msg":"([^"]*)"/g)].map((match) => match[1]) };
}

test("drains on each stop signal, exits at once on a second one, and exits with an error on an uncaught exception", async () => {
  // Fault: SIGHUP killed the process before its writes were flushed; a second signal stopped it
  // twice.
  const drains = "async () => undefined";
  const hangs = "() => new Promise(() => undefined)";
  const lives = await Promise.all([
    ...["SIGTERM", "SIGINT", "SIGHUP"].map((signal) => lifeOf(drains, kill(signal))),
    lifeOf(hangs, kill("SIGTERM") + `setTimeout(() => { ${kill("SIGINT")} }, 50);`),
    lifeOf(drains, `void Promise.reject(new Error("planted"));`),
    lifeOf('async () => { throw new Error("late"); }', kill("SIGTERM")),
  ]);
  const drained = { code: 0, log: ["stopping", "stopped"] };
  expect(lives).toEqual([
    drained,
    drained,
    drained,
    { code: 1, log: ["stopping", "stopped at once"] },
    { code: 1, log: ["uncaught error: stopping", "stopped"] },
    { code: 1, log: ["stopping", "could not stop cleanly"] },
  ]);
});
