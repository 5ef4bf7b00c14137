import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporter, Vitest } from "vitest/node";

/** Folder in memory; a disk flushes each transaction of each test. */
const MEMORY = "/dev/shm";
const MIN_MEMORY_BYTES = 2_000_000_000;

/** Files of browsers that workers keep open, and caches of tools. */
const OF_TOOLS = /^(\.|playwright|tsx-|node-|npm-|v8-)/;

/**
 * Gives the run its own temporary folder, and its workers a folder for data that they share.
 * Removes it when the workers have ended. The run fails where a test left something in it.
 */
export class TemporaryFolder implements Reporter {
  onInit(vitest: Vitest): void {
    const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), "brand-visibility-tests-"));
    const shared = join(folder, "shared");
    mkdirSync(shared);
    process.env["TMPDIR"] = folder;
    process.env["SHARED_TEST_FOLDER"] = shared;
    vitest.onClose(() => {
      const left = readdirSync(folder).filter((name) => name !== "shared" && !OF_TOOLS.test(name));
      rmSync(folder, { recursive: true, force: true });
      if (left.length === 0) return;
      console.error(
        `Tests left ${left.length} temporary folders; remove them in the test: ${left.slice(0, 20).join(", ")}`,
      );
      process.exitCode = 1;
    });
  }
}

function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY : undefined;
  } catch {
    return undefined;
  }
}
