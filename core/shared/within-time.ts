import { createContext, Script } from "node:vm";

/** Work on text from outside exceeded its time limit. */
export class TookTooLong extends Error {
  override name = "TookTooLong";
}

/** Margin over the slowest reader: an answer of a brand analysis takes 1.7 ms per 1,000 characters. */
const [BASE_MS, MS_PER_1000_CHARACTERS] = [1000, 10];

/** Time limit for reading an outside text of this length, in milliseconds: 1 s, and 10 s more per million characters. */
export function timeToRead(characters: number): number {
  return Math.ceil(BASE_MS + (characters / 1000) * MS_PER_1000_CHARACTERS);
}

/** A run that got less than half of a processor is repeated once: a busy machine makes no text slow. */
const MAX_RUNS = 2;

const context = createContext({});
const script = new Script("run()");

/**
 * Runs synchronous work and ends it, regular expressions and loops included, after `limitMs` on the clock. Throws TookTooLong
 * then. The work must be pure: `finally` blocks do not run when it is ended, and it may run again.
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  for (let run = 1; ; run += 1) {
    const before = process.cpuUsage();
    try {
      return runFor(limitMs, work);
    } catch (error) {
      if (!(error instanceof TookTooLong) || run === MAX_RUNS) throw error;
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 >= limitMs / 2) throw error;
    }
  }
}

function runFor<T>(limitMs: number, work: () => T): T {
  let result: { value: T } | undefined;
  context["run"] = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    if (isTimeout(error)) throw new TookTooLong(`not done within ${limitMs} ms`, { cause: error });
    throw error;
  }
  if (!result) throw new Error("work that ended without a result");
  return result.value;
}

/** The error can belong to another realm, where it is no instance of our Error. */
function isTimeout(error: unknown): boolean {
  const isCoded = typeof error === "object" && error !== null && "code" in error;
  return isCoded && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/**
 * Reads several texts. One limit covers them all, because each limit costs a thread; where it is exceeded each text gets its own,
 * and one that exceeds it gives `otherwise`.
 */
export function readEach<T>(texts: readonly string[], read: (text: string) => T, otherwise: T): T[] {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return orElse(
    () => withinTime(timeToRead(characters), () => texts.map(read)),
    () => texts.map((text) => readOr(text.length, () => read(text), otherwise)),
  );
}

/** Reads a text of so many characters, or gives `otherwise` where that exceeds its time limit. */
export function readOr<T, Otherwise>(characters: number, read: () => T, otherwise: Otherwise): T | Otherwise {
  return orElse<T | Otherwise>(
    () => withinTime(timeToRead(characters), read),
    () => otherwise,
  );
}

function orElse<T>(work: () => T, late: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    return late();
  }
}
