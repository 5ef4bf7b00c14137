import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";

// DATA_DIR/master.key: one key a line in base64. The first seals, all of them open.

/**
 * Creates the file with one key if nothing is there. Call it only while nothing is encrypted: a new key opens nothing. Of two
 * processes that start at once one creates the file, the other finds it whole.
 */
export function createMasterKey(dataDir: string): void {
  const file = fileIn(dataDir);
  if (existsSync(file)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const own = writeOwn(file, [newKey()]);
  try {
    linkSync(own, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(own);
  }
}

/** The keys of the file, the present one first; none if the file is missing, empty or a folder. */
export function readMasterKeys(dataDir: string): string[] {
  try {
    return readFileSync(fileIn(dataDir), "utf8").split(/\s+/).filter(Boolean);
  } catch (error) {
    // A container runtime makes a folder where the file that it should mount is missing.
    if (["ENOENT", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/** What to do without a key. Nothing was written, so that the file can be put back. */
export function noMasterKey(dataDir: string): Error {
  const file = resolve(fileIn(dataDir));
  return new Error(
    `There is no master key in ${file}, and the secrets in the database were encrypted with it. Put that file back from a backup, or set MASTER_KEY to its key. Nothing was changed.`,
  );
}

/** Puts a new key before the others. A crash leaves the old file or the new one, whole. */
export function addMasterKey(dataDir: string): void {
  const keys = readMasterKeys(dataDir);
  if (keys.length === 0) throw noMasterKey(dataDir);
  replaceFile(dataDir, [newKey(), ...keys]);
}

/** Leaves the present key alone. What earlier ones sealed opens no more. */
export function dropOldMasterKeys(dataDir: string): void {
  replaceFile(dataDir, readMasterKeys(dataDir).slice(0, 1));
}

const fileIn = (dataDir: string) => join(dataDir, "master.key");
const newKey = () => randomBytes(32).toString("base64");

function replaceFile(dataDir: string, keys: readonly string[]): void {
  const file = fileIn(dataDir);
  renameSync(writeOwn(file, keys), file);
}

/** The keys in a file beside `file`, on disk when this returns. */
function writeOwn(file: string, keys: readonly string[]): string {
  const own = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = openSync(own, "wx", 0o600);
  writeSync(handle, keys.map((key) => `${key}\n`).join(""));
  fsyncSync(handle);
  closeSync(handle);
  return own;
}
