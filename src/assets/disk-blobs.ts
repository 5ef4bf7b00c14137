import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync, mkdirSync } from "node:fs";
import { open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobStore } from "../../core/shared/blobs.ts";

/**
 * A file is complete and on disk before it gets its name, the SHA-256.
 * A missing parent folder is an error and is never recreated.
 */
export function openDiskBlobs(folder: string): BlobStore {
  const incoming = join(folder, "incoming");
  for (const path of [folder, incoming]) makeFolder(path);
  const toPath = (sha256: string) => {
    // Path traversal guard: only a hash becomes a path.
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error("A blob's name must be its SHA-256 in hex.");
    return join(folder, sha256.slice(0, 2), sha256);
  };
  return {
    async stage(bytes) {
      const path = join(incoming, randomUUID());
      const written = await writeNew(path, bytes);
      return {
        ...written,
        async commit() {
          const kept = toPath(written.sha256);
          makeFolder(dirname(kept));
          await rename(path, kept);
          await syncFolder(dirname(kept));
          await syncFolder(folder);
        },
        discard: () => rm(path, { force: true }),
      };
    },
    read: (sha256, from = 0) => createReadStream(toPath(sha256), { start: from }),
    delete: (sha256) => rm(toPath(sha256), { force: true }),
    async sweep(ms) {
      for (const name of await readdir(incoming)) {
        const path = join(incoming, name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < Date.now() - ms) await rm(path, { force: true });
      }
    },
  };
}

/** Never creates parents. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

async function writeNew(path: string, bytes: AsyncIterable<Uint8Array>) {
  const file = await open(path, "wx", 0o600);
  try {
    const written = await writeAll(file, bytes);
    await file.sync();
    return written;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>) {
  const sum = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sum.update(chunk);
    sizeBytes += chunk.length;
    await file.writeFile(chunk);
  }
  return { sha256: sum.digest("hex"), sizeBytes };
}

/** A file name is durable once its directory is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
