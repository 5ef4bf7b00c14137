import { readFileSync } from "node:fs";
import { freePort, startServiceProcess } from "../support/killable-process.ts";

/** The real service as processes on one port, which a test kills and restarts. Linux. */
export async function startRestartableService(env: { DATA_DIR: string } & Record<string, string>) {
  const port = String(await freePort());
  const start = () => startServiceProcess({ PORT: port, DEMO: "0", LOG_LEVEL: "silent", ...env });
  let running = await start();
  return {
    baseUrl: running.address,
    /**
     * Sends SIGKILL to all processes, then restarts them; or only to workers, which the service
     * restarts.
     */
    async kill(which: "all" | "workers"): Promise<void> {
      if (which === "workers") {
        for (const pid of childrenOf(running.pid)) killIfThere(pid);
        return;
      }
      await running.kill();
      running = await start();
    },
    close: () => running.kill(),
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has exited meanwhile.
  }
}
