import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/engine/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { readConfig, type Environment } from "../config.ts";

/** What a command came to: its text for people, and whether it did what was asked. */
export interface CommandEnd {
  text: string;
  ok: boolean;
}

/** Runs a command of operators on the database of this folder, also while the service runs. */
export async function runCommand(
  command: (store: Store, args: string[], environment: Environment) => Promise<CommandEnd>,
): Promise<void> {
  const environment = readConfig(process.env);
  const { DATA_DIR } = environment;
  if (!existsSync(join(DATA_DIR, "visibility.db"))) {
    return say({
      text: `There is no database in ${DATA_DIR} yet. Start the service once, or set DATA_DIR.\n`,
      ok: false,
    });
  }
  const store = openStore(DATA_DIR);
  const end = await command(store, process.argv.slice(2), environment).catch(failed);
  await store.close();
  say(end);
}

function say({ text, ok }: CommandEnd): void {
  (ok ? process.stdout : process.stderr).write(text);
  if (!ok) process.exitCode = 2;
}

function failed(error: unknown): CommandEnd {
  return { text: `${error instanceof Error ? error.message : String(error)}\n`, ok: false };
}
