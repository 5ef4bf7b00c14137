import { dbOf, openReader } from "./connection.ts";
import { openKept, type Kept } from "./kept.ts";
import type { Connection } from "./sqlite.ts";
import type { Db } from "../store.ts";
import type { Watch } from "./watch.ts";

/** Connections for reads, each of which has one to itself. */
export interface Readers {
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Resolves when the reads that are under way have ended; a second time at once. */
  close(): Promise<void>;
}

/** As many reads as may be under way at once; the others wait. Most reads end within one turn of the event loop. */
const MOST = 8;

/** A connection with the statements that begin and end a snapshot. */
interface Reader {
  connection: Connection;
  db: Db;
  begin: () => void;
  end: () => void;
}

/** Opens connections as they are needed. The one that was used last is used next: its statements are prepared. */
export function openReaders(file: string, watch: Watch): Readers {
  const kept = openKept();
  let opened = 0;
  const idle: Reader[] = [];
  const waiting: ((reader: Reader) => void)[] = [];
  const givenBack = () => new Promise<Reader>((resolve) => waiting.push(resolve));

  function take(): Reader | Promise<Reader> {
    const free = idle.pop();
    if (free) return free;
    if (opened >= MOST) return givenBack();
    // What is at the path by now may be another database.
    watch.checkFiles();
    const reader = readerOf(openReader(file), kept);
    opened++;
    return reader;
  }

  function giveBack(reader: Reader): void {
    const next = waiting.shift();
    if (next) next(reader);
    else idle.push(reader);
  }

  return {
    async run(work) {
      let reader: Reader | undefined;
      try {
        watch.checkFilesOften();
        reader = await take();
        reader.begin();
        try {
          return await work(reader.db);
        } finally {
          // Some errors of the disk have ended it already.
          if (reader.connection.inTransaction) reader.end();
        }
      } catch (error) {
        throw watch.noted(error);
      } finally {
        if (reader) giveBack(reader);
      }
    },
    async close() {
      for (; opened > 0; opened--) (idle.pop() ?? (await givenBack())).connection.close();
    },
  };
}

function readerOf(connection: Connection, kept: Kept): Reader {
  // Deferred: the snapshot is taken by the first statement, and one that asks nothing costs nothing.
  const [begin, end] = [connection.prepare("BEGIN"), connection.prepare("COMMIT")];
  return { connection, db: dbOf(connection, { kept }), begin: () => void begin.run(), end: () => void end.run() };
}
