import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;
const OTHER_USERS_MASK = 0o077;

/** `lost+found` comes from the file system. */
const KNOWN_FILE_NAME_PATTERN = /^(?:visibility\.db|master\.key|assets$|lost\+found$)/;

/** The database is incomplete without one of them. */
export const listDatabaseFiles = (database: string) => [database, `${database}-wal`, `${database}-shm`];

/** A failed copy leaves an empty file. */
export function isDatabaseAbsent(database: string): boolean {
  try {
    return statSync(database).size === 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}

/** Only the current user gets access, whatever the umask. */
export function createDatabaseFile(dataDir: string, database: string): void {
  const made = mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (made !== undefined) chmodSync(dataDir, PRIVATE_FOLDER_MODE);
  requireAccess(dataDir, database);
  // Do not open an existing database: closing it would release this process's POSIX locks on it.
  if (existsSync(database)) return;
  try {
    // SQLite gives the file's mode to the `-wal` and `-shm` files.
    closeSync(openSync(database, "wx", PRIVATE_FILE_MODE));
    chmodSync(database, PRIVATE_FILE_MODE);
  } catch (error) {
    if (!existsSync(database)) throw error;
  }
}

/** Throws the operating system's error, which is more precise than SQLite's. */
function requireAccess(dataDir: string, database: string): void {
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  if (existsSync(database)) accessSync(database, constants.R_OK | constants.W_OK);
  // Fails if the process is out of file descriptors.
  closeSync(openSync(dataDir, "r"));
}

/** A folder with other contents keeps its mode: its owner may share it. */
export function restrictFileAccess(dataDir: string, database: string, notify: (notice: string) => void): void {
  const files = [...listDatabaseFiles(database), join(dataDir, "master.key"), join(dataDir, "assets")];
  const isOurs = readdirSync(dataDir).every((name) => KNOWN_FILE_NAME_PATTERN.test(name));
  for (const path of isOurs ? [dataDir, ...files] : files) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || (mode & OTHER_USERS_MASK) === 0) continue;
    try {
      chmodSync(path, mode & PRIVATE_FOLDER_MODE);
      notify(`${path} was open to other users of this machine. Now only the user of this process can use it.`);
    } catch {
      notify(`${path} is open to other users of this machine. Run: chmod go= ${path}`);
    }
  }
}
