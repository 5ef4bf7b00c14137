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

// DATA_DIR/master.key holds one base64 key per line. The first encrypts; all of them decrypt.

/** Does nothing if the file exists; safe for concurrent starts. No secret may be encrypted yet. */
export function createMasterKey(dataDir: string): void {
  const file = getMasterKeyPath(dataDir);
  if (existsSync(file)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const own = writeTemporaryFile(file, [newMasterKey()]);
  try {
    linkSync(own, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(own);
  }
}

/** Returns the current key first; empty if the file is missing, empty or a folder. */
export function readMasterKeys(dataDir: string): string[] {
  try {
    return readFileSync(getMasterKeyPath(dataDir), "utf8").split(/\s+/).filter(Boolean);
  } catch (error) {
    // Container runtimes create a folder when a mounted file is missing.
    if (["ENOENT", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

export function missingMasterKeyError(dataDir: string): Error {
  const file = resolve(getMasterKeyPath(dataDir));
  return new Error(
    `There is no master key in ${file}, and the secrets in the database were encrypted with it. Put that file back from a backup, or set MASTER_KEY to its key. Nothing was changed.`,
  );
}

/** Atomic: a crash leaves either the old or the new file. */
export function addMasterKey(dataDir: string): void {
  const keys = readMasterKeys(dataDir);
  if (keys.length === 0) throw missingMasterKeyError(dataDir);
  replaceFile(dataDir, [newMasterKey(), ...keys]);
}

/** Secrets encrypted by earlier keys become unreadable. */
export function dropOldMasterKeys(dataDir: string): void {
  replaceFile(dataDir, readMasterKeys(dataDir).slice(0, 1));
}

const getMasterKeyPath = (dataDir: string) => join(dataDir, "master.key");
const newMasterKey = () => randomBytes(32).toString("base64");

function replaceFile(dataDir: string, keys: readonly string[]): void {
  const file = getMasterKeyPath(dataDir);
  renameSync(writeTemporaryFile(file, keys), file);
}

/** Writes a temporary file next to `file`; its content is on disk on return. */
function writeTemporaryFile(file: string, keys: readonly string[]): string {
  const own = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = openSync(own, "wx", 0o600);
  writeSync(handle, keys.map((key) => `${key}\n`).join(""));
  fsyncSync(handle);
  closeSync(handle);
  return own;
}
