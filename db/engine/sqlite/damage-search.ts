import { spawn, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { PROGRAM_LOADER, programFile } from "../../../core/shared/program-file.ts";

/** How quick-check ends where it met damage. Any other end but 0 says nothing of the file. */
export const DAMAGED = 3;

/** Reads a whole database beside the service, so that damage is known before a request meets it. */
export interface DamageSearch {
  /** Begins to read, unless it is reading; `onDamage` is told what it finds. */
  begin(onDamage: () => void): void;
  close(): void;
}

/** In a process of low priority: a thread could not be ended while the engine reads, which takes minutes for a large file. */
export function openDamageSearch(file: string): DamageSearch {
  let child: ChildProcess | undefined;
  return {
    begin(onDamage) {
      if (child) return;
      child = startProcess(file);
      child.once("exit", (code) => {
        child = undefined;
        if (code === DAMAGED) onDamage();
      });
      // Where it cannot be started, requests still tell the damage that they meet.
      child.once("error", () => (child = undefined));
    },
    close: () => void child?.kill("SIGKILL"),
  };
}

/** Compiled, or from source if this process runs from source. */
function startProcess(file: string): ChildProcess {
  const program = fileURLToPath(programFile("db/engine/sqlite/quick-check"));
  const child = spawn(process.execPath, [...PROGRAM_LOADER, program, file], { env: {}, stdio: "ignore" });
  // The service may end while it reads.
  child.unref();
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {}
  return child;
}
