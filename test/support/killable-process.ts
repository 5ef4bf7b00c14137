import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "../..");

/** What `npm start` runs, once it is compiled. */
const COMPILED = "dist/src/start.js";

/** The real service as a process of its own on `env.DATA_DIR` that a test can kill. */
export function startKillable(env: { DATA_DIR: string } & Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ["--enable-source-maps", COMPILED], {
    cwd: ROOT,
    stdio: "ignore",
    detached: true,
    // The other tests of a run would leave a process that gives way little time.
    env: { PATH: process.env["PATH"], PORT: "0", DEMO: "0", LOG_LEVEL: "silent", ...env },
  });
  child.kill = (signal) => killAll(child, signal);
  return child;
}

/** Sends a signal to a process and its worker at the same moment, as a crash of the machine would. */
function killAll({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals | number = "SIGTERM"): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return false;
  return process.kill(-pid, signal);
}

/**
 * The same, and what it writes can be read. Resolves when it serves; rejects with what it wrote if it ends before. `under`
 * is a command that runs it with other rights, such as `setpriv`; `preloads` are modules that its processes load first: one of our own sources
 * makes them run from source.
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
    /** Where it answers. */
    address: /^ {2}REST +(\S+)\/v1$/m.exec(written)?.[1] ?? "",
    /** Everything that it has written so far: its log, one JSON object a line, and what it says at its start and end. */
    written: () => written,
    /** Resolves when it has written this. */
    async writes(text: string, withinMs = 20_000): Promise<void> {
      for (let waited = 0; !written.includes(text); waited += 10) {
        if (waited > withinMs) throw new Error(`The service did not write ${JSON.stringify(text)}: ${written}`);
        await sleep(10);
      }
    },
    pid: child.pid ?? 0,
    /** Sends a signal, and leaves it at that. */
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Its exit code, once it has ended; null where a signal ended it. */
    ended,
    /** SIGKILL: nothing of it runs any more when this resolves. */
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

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
