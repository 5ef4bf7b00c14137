import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The real service, from its source, as a process of its own, which can be killed. Resolves when it serves. */
export async function startServiceProcess(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => (told += part));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}: ${told}`)));
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      if (part.includes("is running")) resolve();
    });
  });
  return {
    /** SIGKILL: nothing of it runs any more when this resolves. */
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
