import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Numeric rows, one list per statement. */
export type DuckRows = number[][][];

/** DuckDB with two threads in a separate process. */
export interface Duck {
  /** Runs statements one after another; resolves with the milliseconds until all rows are read. */
  run(statements: readonly string[]): Promise<number>;
  rowsOf(statements: readonly string[]): Promise<DuckRows>;
  stop(): Promise<void>;
}

const HERE = join(import.meta.dirname, "duckdb");

/** Installs the packages of `duckdb/package-lock.json` on first use. */
export function startDuck(): Duck {
  if (!existsSync(join(HERE, "node_modules/@duckdb/node-api"))) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: HERE, stdio: "ignore" });
  }
  const child = fork(join(HERE, "serve.mjs"), { execArgv: [] });
  const ended = new AbortController();
  child.once("exit", () => ended.abort(new Error("DuckDB has ended.")));
  const ask = async (statements: readonly string[], wantsRows: boolean) => {
    const answered = once(child, "message", { signal: ended.signal }) as Promise<[{ ms: number; rows: DuckRows }]>;
    child.send({ statements, wantsRows });
    return (await answered)[0];
  };
  return {
    run: async (statements) => (await ask(statements, false)).ms,
    rowsOf: async (statements) => (await ask(statements, true)).rows,
    async stop() {
      if (!child.connected) return;
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
  };
}
