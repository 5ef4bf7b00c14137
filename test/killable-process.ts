import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** The real service, from its source, as a process of its own on `env.DATA_DIR` that a test can kill. */
export function startKillable(env: { DATA_DIR: string } & Record<string, string>): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    cwd: join(import.meta.dirname, ".."),
    stdio: "ignore",
    env: { PATH: process.env["PATH"], PORT: "0", DEMO: "0", LOG_LEVEL: "silent", ...env },
  });
}
