import { createContext, Script } from "node:vm";

export class TimeLimitExceeded extends Error {
  override name = "TimeLimitExceeded";
}

/** The slowest parser takes 1.7 ms per 1,000 characters, for an answer of a brand analysis. */
const [BASE_MS, MS_PER_1000_CHARACTERS] = [1000, 10];

/** Time limit for parsing an untrusted text, in ms: 1 s plus 10 s per million characters. */
export function parseTimeLimitMs(characters: number): number {
  return Math.ceil(BASE_MS + (characters / 1000) * MS_PER_1000_CHARACTERS);
}

/** A run that got less than half a CPU is repeated, so that a busy machine fails no text. */
const MAX_RUNS = 2;

const vmContext = createContext({});
const timedScript = new Script("run()");

/**
 * Runs synchronous work and aborts it after `limitMs` of wall time, including regular expressions
 * and loops. Throws TimeLimitExceeded. The work must be pure: it may run twice, and `finally` blocks are
 * skipped on abort.
 */
export function runWithinTime<T>(limitMs: number, work: () => T): T {
  for (let run = 1; ; run += 1) {
    const before = process.cpuUsage();
    try {
      return runWithTimeout(limitMs, work);
    } catch (error) {
      if (!(error instanceof TimeLimitExceeded) || run === MAX_RUNS) throw error;
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 >= limitMs / 2) throw error;
    }
  }
}

function runWithTimeout<T>(limitMs: number, work: () => T): T {
  let result: { value: T } | undefined;
  vmContext["run"] = () => {
    result = { value: work() };
  };
  try {
    timedScript.runInContext(vmContext, { timeout: limitMs });
  } catch (error) {
    if (isTimeout(error)) throw new TimeLimitExceeded(`not done within ${limitMs} ms`, { cause: error });
    throw error;
  }
  if (!result) throw new Error("the work returned no result");
  return result.value;
}

/** The error may come from another realm, where `instanceof` does not work. */
function isTimeout(error: unknown): boolean {
  const isCoded = typeof error === "object" && error !== null && "code" in error;
  return isCoded && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** A common limit saves threads; if exceeded, each text gets its own, slow ones give `fallback`. */
export function parseEachWithinTime<Item, T>(
  items: readonly Item[],
  {
    countCharacters,
    read,
    fallback,
  }: { countCharacters: (item: Item) => number; read: (item: Item) => T; fallback: T },
): T[] {
  const characters = items.reduce((sum, item) => sum + countCharacters(item), 0);
  return fallBackOnTimeout(
    () => runWithinTime(parseTimeLimitMs(characters), () => items.map(read)),
    () => items.map((item) => parseWithinTime(countCharacters(item), () => read(item), fallback)),
  );
}

/** Characters that are parsed before others run: about 7 ms. */
const MAX_GROUP_CHARACTERS = 4000;

/** In order, up to `maxSize` per group; a larger item is a group alone. */
export function groupBySize<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  maxSize = MAX_GROUP_CHARACTERS,
): Item[][] {
  const groups: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item);
    room -= size;
    const open = groups.at(-1);
    if (open && room >= 0) open.push(item);
    else {
      groups.push([item]);
      room = maxSize - size;
    }
  }
  return groups;
}

/** Parses a text of this length, or returns `otherwise` if it exceeds the time limit. */
export function parseWithinTime<T, Otherwise>(characters: number, read: () => T, otherwise: Otherwise): T | Otherwise {
  return fallBackOnTimeout<T | Otherwise>(
    () => runWithinTime(parseTimeLimitMs(characters), read),
    () => otherwise,
  );
}

function fallBackOnTimeout<T>(work: () => T, late: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return late();
  }
}
