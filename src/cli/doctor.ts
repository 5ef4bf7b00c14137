import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { readConfig } from "../config/config.ts";
import { releaseWarning } from "../process/node-release.ts";
import { PROVIDERS } from "../outside/sources/providers.ts";
import { runDoctorCommand } from "./doctor-command.ts";
import { writeResult } from "./run-command.ts";

export async function runDoctor(args: string[]): Promise<void> {
  const environment = readConfig(process.env);
  const { DATA_DIR } = environment;
  const isThere = existsSync(join(DATA_DIR, "visibility.db"));
  const store = isThere ? await openStore(DATA_DIR, { create: false, migrates: false }) : undefined;
  const { text, ok } = await runDoctorCommand({ environment, declared: PROVIDERS, store }, args);
  const ended = releaseWarning(process.version);
  writeResult({ text: ended === undefined ? text : `${ended}\n\n${text}`, ok });
  await store?.close();
}
