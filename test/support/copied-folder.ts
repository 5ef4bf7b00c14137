import { rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * How to get a copy of a data folder that is filled once for all tests of this process, when the first asks.
 * Who gets one removes it.
 */
export function copiedFolder(fill: (dataDir: string) => Promise<void>): () => Promise<string> {
  let made: Promise<string> | undefined;
  async function make(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "visibility-made-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    await fill(folder);
    return folder;
  }
  return async () => {
    const copy = await mkdtemp(join(tmpdir(), "visibility-"));
    await cp(await (made ??= make()), copy, { recursive: true });
    return copy;
  };
}
