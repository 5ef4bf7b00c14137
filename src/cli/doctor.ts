import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/engine/open-store.ts";
import { readConfig } from "../config.ts";
import { PROVIDERS } from "../outside/sources/providers.ts";
import { doctorCommand } from "./doctor-command.ts";
import { say } from "./run-command.ts";

const environment = readConfig(process.env);
const { DATA_DIR } = environment;
const isThere = existsSync(join(DATA_DIR, "visibility.db"));
const store = isThere ? await openStore(DATA_DIR, { create: false, migrates: false }) : undefined;
say(await doctorCommand({ environment, declared: PROVIDERS, store }, process.argv.slice(2)));
await store?.close();
