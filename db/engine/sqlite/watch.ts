import { statSync } from "node:fs";
import { filesOf } from "./data-files.ts";
import { translated } from "./sqlite-error.ts";
import { StoreError } from "../store-error.ts";

/** What the connections of a store watch together. */
export interface Watch {
  /** Throws where another file, or none, is at the path of one that is open: what would be written would be lost. */
  checkFiles(): void;
  /** The same for reads, of which there are many more: looks once a second. */
  checkFilesOften(): void;
  /** An error of the engine as a StoreError; everything else as it is. Remembers that a damaged file was met. */
  noted(error: unknown): unknown;
  /** True once a statement, or a search, has met damage. */
  hasMetDamage(): boolean;
  /** Remembers damage that a search has met. */
  noteDamage(): void;
}

const OFTEN_MS = 1000;

/** Remembers which files of `database` are open from now on. */
export function openWatch(database: string): Watch {
  const opened = filesOf(database).map((path) => ({ path, identity: identityOf(path) }));
  let checkedAt = performance.now();
  let damage = false;

  function checkFiles(): void {
    for (const { path, identity } of opened) {
      const found = identityOf(path);
      if (found === identity) continue;
      throw new StoreError("replaced", { cause: `${path}: ${identity} was opened, ${found} is there` });
    }
    checkedAt = performance.now();
  }

  return {
    checkFiles,
    checkFilesOften() {
      if (performance.now() - checkedAt > OFTEN_MS) checkFiles();
    },
    noted(error) {
      const known = translated(error);
      damage ||= known instanceof StoreError && known.reason === "corrupt";
      return known;
    },
    hasMetDamage: () => damage,
    noteDamage: () => (damage = true),
  };
}

/** Which file is at a path, such as `2049:131074`. Takes about three microseconds, where a write waits for the disk. */
export function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "none";
  }
}
