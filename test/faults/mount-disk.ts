import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseExtent } from "../support/proof.ts";

const MOUNTS = join(tmpdir(), "visibility-mount-");

function mount(...args: string[]): void {
  execFileSync("mount", args, { stdio: "pipe" });
}

/** A temporary folder on a separate disk of this size. */
export function mountDisk(megabytes: number) {
  const path = mkdtempSync(MOUNTS);
  mount("-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", path);
  return {
    path,
    makeReadOnly: () => mount("-o", "remount,ro", path),
    [Symbol.dispose]() {
      // Lazily, since files of a killed process close a moment later.
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** Why this process cannot mount a disk; undefined where it can. */
export const mountUnavailableReason = chooseExtent(findMountFault, () => undefined)();

function findMountFault(): string | undefined {
  try {
    mountDisk(1)[Symbol.dispose]();
    return undefined;
  } catch {
    return "mounting a disk needs root";
  }
}
