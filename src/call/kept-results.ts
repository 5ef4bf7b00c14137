import type { Trace } from "../../db/engine/store.ts";
import type { JsonBytes } from "../reads/json-bytes.ts";

/** What a result was read from, besides its input: it is the same while that is. */
export interface MadeOf {
  tables: readonly string[];
  /** Their versions, summed, on the snapshot that it was read on. */
  version: number;
  /** True where the work asked who calls. */
  isOfCaller: boolean;
}

/** Names a result among all others: `own` for one caller, `shared` for all who may ask. */
export interface ResultKey {
  shared: string;
  own: string;
}

/** Results of reads as JSON, each for as long as the tables that it was read from are not written to. */
export interface KeptResults {
  /** What was kept, if that is still what would be read on the snapshot of `trace`. */
  find(key: ResultKey, trace: Trace): JsonBytes | undefined;
  keep(key: ResultKey, madeOf: MadeOf, json: JsonBytes): void;
}

/** A larger one is not kept: it costs more to send than to keep what it is made of. */
const MOST_OF_RESULT = 256 * 1024;

interface Kept {
  /** Undefined where callers have results of their own. */
  json: JsonBytes | undefined;
  madeOf: MadeOf;
  bytes: number;
}

/** `most` bytes are kept of all, with their keys. */
export function openKeptResults(most: number): KeptResults {
  /** The one that was used last is the last. */
  const kept = new Map<string, Kept>();
  let bytes = 0;

  function remove(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  function put(key: string, one: Omit<Kept, "bytes">): void {
    remove(key);
    const own = 2 * key.length + (one.json?.length ?? 0);
    kept.set(key, { ...one, bytes: own });
    bytes += own;
    for (const oldest of kept.keys()) {
      if (bytes <= most) return;
      remove(oldest);
    }
  }

  function lookUp(key: string, trace: Trace): Kept | undefined {
    const one = kept.get(key);
    if (!one) return undefined;
    if (trace.versionOf(one.madeOf.tables) === one.madeOf.version) {
      kept.delete(key);
      kept.set(key, one);
      return one;
    }
    remove(key);
    return undefined;
  }

  return {
    find({ shared, own }, trace) {
      const one = lookUp(shared, trace);
      return one?.madeOf.isOfCaller ? lookUp(own, trace)?.json : one?.json;
    },
    keep({ shared, own }, madeOf, json) {
      if (json.length > MOST_OF_RESULT) return;
      put(shared, { madeOf, json: madeOf.isOfCaller ? undefined : json });
      if (madeOf.isOfCaller) put(own, { madeOf, json });
    },
  };
}
