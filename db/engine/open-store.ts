import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { bringToCurrentSchema } from "./migrate.ts";
import { openReaders } from "./readers.ts";
import { Database, type Connection } from "./sqlite.ts";
import { translated } from "./sqlite-error.ts";
import type { Store } from "./store.ts";
import { openWriter } from "./writer.ts";

/** Opens (and if need be creates) the embedded database in `dataDir` and brings it to the current schema. */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "visibility.db");
  const connection = openCurrent(file);
  const writer = openWriter(connection);
  const readers = openReaders(file);
  return {
    read: (work) => readers.run(work),
    write: (work) => writer.run(work),
    file,
    async close() {
      await writer.idle();
      await readers.close();
      connection.close();
    },
  };
}

function openCurrent(file: string): Connection {
  let connection: Connection | undefined;
  try {
    connection = new Database(file);
    connection.pragma("journal_mode = WAL");
    connection.pragma("synchronous = FULL");
    connection.pragma("busy_timeout = 5000");
    bringToCurrentSchema(connection);
    // From here on, waits for another process happen between tries, so that they do not block this one.
    connection.pragma("busy_timeout = 0");
    return connection;
  } catch (error) {
    connection?.close();
    throw translated(error);
  }
}
