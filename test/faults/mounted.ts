import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extent } from "../support/proof.ts";

const MOUNTS = join(tmpdir(), "visibility-mount-");

function mount(...args: string[]): void {
  execFileSync("mount", args, { stdio: "pipe" });
}

/** A folder with a disk of its own, of so many megabytes, that is gone afterwards. */
export function mounted(megabytes: number) {
  const path = mkdtempSync(MOUNTS);
  mount("-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", path);
  return {
    path,
    makeReadOnly: () => mount("-o", "remount,ro", path),
    [Symbol.dispose]() {
      // Lazily: what a process that was killed had open is closed in a moment.
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** Why this process cannot mount a disk; undefined where it can. */
export const cannotMount = extent(whyNot, () => undefined)();

function whyNot(): string | undefined {
  try {
    mounted(1)[Symbol.dispose]();
    return undefined;
  } catch {
    return "mounting a disk needs root";
  }
}
