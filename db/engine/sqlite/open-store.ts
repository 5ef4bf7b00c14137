import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { restrictFileAccess, isDatabaseAbsent, createDatabaseFile } from "./data-files.ts";
import { openDamageSearch } from "./damage-search.ts";
import { migrate, listMissingMigrations } from "./migrate.ts";
import { readFileIdentity, openReaders, openWatch } from "./connection.ts";
import { Database, type Connection } from "./sqlite.ts";
import { toStoreError } from "./sqlite-error.ts";
import { StoreError } from "../store-error.ts";
import type { Store } from "../store.ts";
import { openWriter, retryWhileBusy } from "./writer.ts";

export interface OpenStoreOptions {
  create?: boolean;
  /** False rejects a database with an older schema. */
  migrates?: boolean;
  /** `identity` of another process's store. Rejects any other database and creates none. */
  expects?: string | undefined;
  /** For background processes: pauses after each transaction so that others can write. */
  leavesPauses?: boolean;
  onNotice?: (notice: string) => void;
}

/** Rejects a schema that this version does not know. */
export async function openStore(dataDir: string, options: OpenStoreOptions = {}): Promise<Store> {
  const { create = true, migrates = true, leavesPauses = false, expects, onNotice = () => {} } = options;
  const file = join(dataDir, "visibility.db");
  if (expects !== undefined && readFileIdentity(file) !== expects) throw new StoreError("replaced", { cause: file });
  const isNew = isDatabaseAbsent(file);
  if (isNew && !create) throw new StoreError("absent", { cause: file });
  createDatabaseFile(dataDir, file);
  const connection = openConnection(dataDir, file);
  try {
    await migrateToCurrent(connection, { migrates, onNotice });
  } catch (error) {
    connection.close();
    throw error;
  }
  restrictFileAccess(dataDir, file, onNotice);
  const watch = openWatch(file);
  const writer = openWriter(connection, watch, { leavesPauses });
  const readers = openReaders(file, watch);
  const search = openDamageSearch(file);
  return {
    read: (work) => readers.run(work),
    write: (work, how) => writer.run(work, how),
    health: {
      tryWrite: () => writer.run(async () => probeWrite(connection)),
      oldestWriteMs: () => writer.oldestWriteMs(),
      checkFiles: () => watch.checkFiles(),
      startDamageSearch: () => search.begin(() => watch.noteDamage()),
      hasMetDamage: () => watch.hasMetDamage(),
    },
    file,
    identity: readFileIdentity(file),
    isNew,
    async close() {
      search.close();
      await writer.close();
      await readers.close();
      connection.close();
    },
  };
}

function openConnection(dataDir: string, file: string): Connection {
  try {
    return new Database(file, { timeout: 0 });
  } catch (error) {
    // Throws EMFILE without free file descriptors, which SQLite does not report.
    closeSync(openSync(dataDir, "r"));
    throw toStoreError(error);
  }
}

const MAX_MIGRATION_MS = 10 * 60_000;

async function migrateToCurrent(
  connection: Connection,
  { migrates, onNotice }: Required<Pick<OpenStoreOptions, "migrates" | "onNotice">>,
) {
  let isReported = false;
  const onWait = () => {
    if (!isReported)
      onNotice("Another process holds the database, which must be migrated to this version. This process waits.");
    isReported = true;
  };
  const attempt = () => {
    try {
      connection.pragma("journal_mode = WAL");
      connection.pragma("synchronous = FULL");
      const isCurrent = listMissingMigrations(connection).length === 0;
      if (!isCurrent && !migrates) throw new Error(OLDER_SCHEMA_MESSAGE);
      if (!isCurrent && migrate(connection)) onNotice("The database was migrated to this version.");
    } catch (error) {
      throw toStoreError(error);
    }
  };
  await retryWhileBusy(attempt, { timeoutMs: MAX_MIGRATION_MS, pauseMs: 50, onWait });
}

const OLDER_SCHEMA_MESSAGE =
  "This database was last used by an older version. Start the service once with this version to migrate it, then run the command again.";

/** Commits one page without changing its value. */
function probeWrite(connection: Connection): void {
  connection.pragma(`user_version = ${Number(connection.pragma("user_version", { simple: true }))}`);
}
