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

const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;
const OF_OTHERS = 0o077;

/** What a folder holds that is ours alone. */
const OURS = /^(?:visibility\.db|master\.key|assets$|lost\+found$)/;

/** The files of a database in WAL mode. Without one of them it is not whole. */
export const filesOf = (database: string) => [database, `${database}-wal`, `${database}-shm`];

/** True where there is no database: no file, or an empty one, as a copy that failed leaves it. */
export function isAbsent(database: string): boolean {
  try {
    return statSync(database).size === 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}

/** Makes the folder and an empty database where they are missing, closed to other users whatever the umask. */
export function makeDatabaseFile(dataDir: string, database: string): void {
  const made = mkdirSync(dataDir, { recursive: true, mode: OWN_FOLDER });
  if (made !== undefined) chmodSync(dataDir, OWN_FOLDER);
  requireAccess(dataDir, database);
  // One that is there is not opened: closing it would end the locks that this process has on it.
  if (existsSync(database)) return;
  try {
    // The engine gives its mode to the files that it makes beside it.
    closeSync(openSync(database, "wx", OWN_FILE));
    chmodSync(database, OWN_FILE);
  } catch (error) {
    if (!existsSync(database)) throw error;
  }
}

/** Throws what the operating system says where the folder or the database cannot be used: the engine says it less exactly. */
function requireAccess(dataDir: string, database: string): void {
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  if (existsSync(database)) accessSync(database, constants.R_OK | constants.W_OK);
  // Fails where the process has no descriptor left.
  closeSync(openSync(dataDir, "r"));
}

/**
 * Takes from other users what an earlier version, or a restored backup, let them read, and tells so. A folder that
 * holds other things too is left as it is: its owner may share it.
 */
export function closeToOthers(dataDir: string, database: string, tell: (notice: string) => void): void {
  const files = [...filesOf(database), join(dataDir, "master.key"), join(dataDir, "assets")];
  const isOurs = readdirSync(dataDir).every((name) => OURS.test(name));
  for (const path of isOurs ? [dataDir, ...files] : files) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || (mode & OF_OTHERS) === 0) continue;
    try {
      chmodSync(path, mode & OWN_FOLDER);
      tell(`${path} was open to other users of this machine. Now only the user of this process can use it.`);
    } catch {
      tell(`${path} is open to other users of this machine. Run: chmod go= ${path}`);
    }
  }
}
