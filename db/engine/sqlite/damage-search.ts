import { spawn, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { PROGRAM_LOADER, programUrl } from "../../../core/shared/program-url.ts";

/** Other nonzero codes say nothing about the file. */
export const DAMAGED_EXIT_CODE = 3;

/** Reads the whole database in the background, to detect damage before a request does. */
export interface DamageSearch {
  /** Does nothing if a search is in progress. */
  begin(onDamage: () => void): void;
  close(): void;
}

/** A low-priority process: a thread cannot be stopped while SQLite reads a large file. */
export function openDamageSearch(file: string): DamageSearch {
  let child: ChildProcess | undefined;
  return {
    begin(onDamage) {
      if (child) return;
      child = startQuickCheck(file);
      child.once("exit", (code) => {
        child = undefined;
        if (code === DAMAGED_EXIT_CODE) onDamage();
      });
      // If the process cannot start, requests still detect damage.
      child.once("error", () => (child = undefined));
    },
    close: () => void child?.kill("SIGKILL"),
  };
}

function startQuickCheck(file: string): ChildProcess {
  const program = fileURLToPath(programUrl("db/engine/sqlite/quick-check"));
  const child = spawn(process.execPath, [...PROGRAM_LOADER, program, file], { env: {}, stdio: "ignore" });
  // Let the service exit while the check runs.
  child.unref();
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {}
  return child;
}
