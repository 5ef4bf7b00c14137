import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/store.ts";
import { readConfig } from "../config.ts";
import { quotaCommand } from "./quota-command.ts";

const { DATA_DIR } = readConfig(process.env);
if (existsSync(join(DATA_DIR, "visibility.db"))) {
  const store = openStore(DATA_DIR);
  const { text, ok } = await quotaCommand(store, process.argv.slice(2));
  await store.close();
  (ok ? process.stdout : process.stderr).write(text);
  if (!ok) process.exitCode = 2;
} else {
  process.stderr.write(`There is no database in ${DATA_DIR} yet. Start the service once, or set DATA_DIR.\n`);
  process.exitCode = 2;
}
