import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Returns a function that copies a data folder. The first caller of all test workers fills the
 * folder; the others wait. Callers remove their copy.
 */
export function createFolderCopier(name: string, fill: (dataDir: string) => Promise<void>): () => Promise<string> {
  let filled: Promise<string> | undefined;
  return async () => {
    const folder = await (filled ??= fillOnce(name, fill));
    const copy = await mkdtemp(join(tmpdir(), `${name}-`));
    await cp(folder, copy, { recursive: true });
    return copy;
  };
}

async function fillOnce(name: string, fill: (dataDir: string) => Promise<void>): Promise<string> {
  // Scripts outside Vitest share nothing: each process fills its own folder.
  const shared = process.env["SHARED_TEST_FOLDER"] ?? (await mkdtemp(join(tmpdir(), "filled-")));
  const folder = join(shared, name);
  const unfinished = `${folder}.unfinished`;
  while (!existsSync(folder)) {
    if (await isCreated(unfinished)) {
      try {
        await fill(unfinished);
        await rename(unfinished, folder);
      } catch (error) {
        await rm(unfinished, { recursive: true, force: true });
        throw error;
      }
    } else {
      await sleep(50);
    }
  }
  return folder;
}

/** False where another worker has created the folder. */
async function isCreated(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
