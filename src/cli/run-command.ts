import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { readConfig, type Environment } from "../config/config.ts";
import { startFailureText } from "../process/start-failure.ts";

export interface CommandResult {
  text: string;
  ok: boolean;
}

export interface StoreCommand {
  help: string;
  run: (store: Store, args: string[], environment: Environment) => Promise<CommandResult>;
}

/** Neither creates nor migrates the database in DATA_DIR. Works while the service runs. */
export async function runCommand({ help, run }: StoreCommand, args: string[]): Promise<void> {
  if (args.includes("--help")) return writeResult({ text: help, ok: true });
  const environment = readConfig(process.env);
  const { DATA_DIR } = environment;
  if (!existsSync(join(DATA_DIR, "visibility.db"))) {
    return writeResult({
      text: `No database in ${DATA_DIR}. Start the service once, or set DATA_DIR.\n`,
      ok: false,
    });
  }
  const failed = (error: unknown): CommandResult => ({ text: `${startFailureText(error, environment)}\n`, ok: false });
  try {
    const store = await openStore(DATA_DIR, { create: false, migrates: false });
    const end = await run(store, args, environment).catch(failed);
    await store.close();
    writeResult(end);
  } catch (error) {
    writeResult(failed(error));
  }
}

export function writeResult({ text, ok }: CommandResult): void {
  (ok ? process.stdout : process.stderr).write(text);
  if (!ok) process.exitCode = 2;
}
