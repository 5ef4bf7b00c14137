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
import { join } from "node:path";

// DATA_DIR/master.key: one key a line in base64. The first seals, all of them open.

/** Makes the file with one key where there is none. Of two processes that start at once one does, the other finds it whole. */
export function ensureMasterKey(dataDir: string): void {
  const file = join(dataDir, "master.key");
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

/** The keys of the file, the present one first; none if the file is gone. */
export function readMasterKeys(dataDir: string): string[] {
  const file = join(dataDir, "master.key");
  return existsSync(file) ? readFileSync(file, "utf8").split(/\s+/).filter(Boolean) : [];
}

/** Puts a new key before the others. A crash leaves the old file or the new one, whole. */
export function addMasterKey(dataDir: string): void {
  replaceFile(dataDir, [newKey(), ...readMasterKeys(dataDir)]);
}

/** Leaves the present key alone. What earlier ones sealed opens no more. */
export function dropOldMasterKeys(dataDir: string): void {
  replaceFile(dataDir, readMasterKeys(dataDir).slice(0, 1));
}

const newKey = () => randomBytes(32).toString("base64");

function replaceFile(dataDir: string, keys: readonly string[]): void {
  const file = join(dataDir, "master.key");
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
