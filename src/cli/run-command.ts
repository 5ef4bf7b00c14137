import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/engine/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { readConfig, type Environment } from "../config.ts";

/** Result of a command: its output, and whether it succeeded. */
export interface CommandEnd {
  text: string;
  ok: boolean;
}

/** Runs an operator's command on the database in DATA_DIR. Works while the service runs. */
export async function runCommand(
  command: (store: Store, args: string[], environment: Environment) => Promise<CommandEnd>,
): Promise<void> {
  const environment = readConfig(process.env);
  const { DATA_DIR } = environment;
  if (!existsSync(join(DATA_DIR, "visibility.db"))) {
    return say({
      text: `No database in ${DATA_DIR}. Start the service once, or set DATA_DIR.\n`,
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
