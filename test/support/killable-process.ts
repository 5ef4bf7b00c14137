import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "../..");

/** Entry point of `npm start` after compiling. */
const COMPILED = "dist/src/start.js";

/** Starts the service in a separate process on `env.DATA_DIR`, which a test can kill. */
export function startKillableService(env: { DATA_DIR: string } & Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ["--enable-source-maps", COMPILED], {
    cwd: ROOT,
    stdio: "ignore",
    detached: true,
    // Runs at normal priority, because parallel tests would starve a process with a lower one.
    env: { PATH: process.env["PATH"], PORT: "0", DEMO: "0", LOG_LEVEL: "silent", ...env },
  });
  child.kill = (signal) => killAll(child, signal);
  return child;
}

/**
 * Sends a signal to a process and its worker at the same moment, as a crash of the machine would.
 */
function killAll({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals | number = "SIGTERM"): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return false;
  return process.kill(-pid, signal);
}

/**
 * Like startKillableService, with readable output. Resolves when it serves; rejects with the output if it
 * exits before. `under` is a command that wraps it, such as `setpriv`; `preloads` are modules that
 * its processes load, which makes it run from source.
 */
export async function startServiceProcess(
  env: Record<string, string>,
  { preloads = [], under = [] }: { preloads?: readonly string[]; under?: readonly string[] } = {},
) {
  const isSource = preloads.some((module) => module.endsWith(".ts"));
  const preloaded = [...(isSource ? ["tsx"] : []), ...preloads].flatMap((module) => ["--import", module]);
  const program = isSource ? "src/start.ts" : COMPILED;
  const [command, ...args] = [...under, process.execPath, ...preloaded, "--enable-source-maps", program];
  const child = spawn(command, args, {
    cwd: ROOT,
    detached: true,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  let written = "";
  const serves = new Promise<void>((resolve) => {
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding("utf8").on("data", (part: string) => {
        written += part;
        if (written.includes("is running")) resolve();
      });
    }
  });
  await Promise.race([
    serves,
    ended.then((code) => {
      throw new Error(`The service ended with ${code}: ${written}`);
    }),
  ]);
  return {
    address: /^ {2}REST +(\S+)\/v1$/m.exec(written)?.[1] ?? "",
    /** Output so far: the log, one JSON object per line, and the messages at start and stop. */
    written: () => written,
    /** Resolves when the process has written this text. */
    async writes(text: string, withinMs = 20_000): Promise<void> {
      for (let waited = 0; !written.includes(text); waited += 10) {
        if (waited > withinMs) throw new Error(`The service did not write ${JSON.stringify(text)}: ${written}`);
        await sleep(10);
      }
    },
    pid: child.pid ?? 0,
    /** Sends a signal and does not wait for the exit. */
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Resolves with the exit code, null after a signal. */
    ended,
    /** SIGKILL; resolves when all of its processes have ended. */
    async kill() {
      killAll(child, "SIGKILL");
      await ended;
    },
    async [Symbol.asyncDispose]() {
      killAll(child, "SIGKILL");
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
