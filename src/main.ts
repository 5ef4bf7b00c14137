import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { pino } from "pino";
import { parseJson } from "../core/shared/json.ts";
import { readConfig, type Environment } from "./config/config.ts";
import { exitOnSignal } from "./process/end-process.ts";
import type { WorkerInput, WorkerStart } from "./jobs/worker-process.ts";
import { HEARTBEAT_MS } from "./jobs/worker-watch.ts";
import { serveReads } from "./reads/serve-reads.ts";
import type { WorkerOutput } from "./reads/read-messages.ts";
import { releaseWarning } from "./process/node-release.ts";
import { describeMisspeltSettings } from "./config/misspelt-settings.ts";
import { getRoutineLogLevel } from "./process/routine-level.ts";
import { startService, type RunningService } from "./service.ts";
import { startFailureText } from "./process/start-failure.ts";

const { init, worker: given } = readOptionsOrStop();
const worker = given === undefined ? undefined : (parseJson(given) as WorkerStart);
const config = readConfigOrStop();
const log = pino({ level: config.LOG_LEVEL, ...(worker ? { name: "worker" } : {}) });
let service: RunningService | undefined;
const end = exitOnSignal(async () => service?.close(), log);
if (worker) {
  // Collects garbage at twice the used memory, not four times: some CPU for half of the memory.
  setFlagsFromString("--heap-growing-percent=100");
  // Stops when the parent process was killed or crashed, and returns jobs in progress to the queue.
  process.on("disconnect", end);
  process.on("message", (message: WorkerInput) => {
    if (message === "stop") end();
    else if (message === "wake") service?.deps.wakeWorker();
  });
  setInterval(() => void sendToParent("alive").catch(() => undefined), HEARTBEAT_MS).unref();
}
service = await startService(config, {
  log,
  init,
  role: worker ? "worker" : "main",
  database: worker?.database,
  worker: worker && { ...worker, onBegin: () => sendToParent("begins") },
}).catch((error: unknown) => {
  warnOfMisspelt();
  return exitWith(startFailureText(error, config), 1);
});
if (worker) {
  // Announces the worker only after it can serve reads of the parent process.
  const answer = serveReads(service.deps, log, sendToParent);
  process.on("message", (message: WorkerInput) => typeof message === "object" && answer(message));
  await sendToParent("working").catch(() => end());
  log[getRoutineLogLevel()]("working");
} else {
  warnOfMisspelt();
  const ended = releaseWarning(process.version);
  if (ended !== undefined) log.warn(ended);
  log[getRoutineLogLevel()]({ address: service.config.baseUrl }, "listening");
  // Prints the start message after the log lines, which are written asynchronously.
  const text = startMessage(service);
  log.flush(() => process.stdout.write(text));
  service.whenLoaded.catch((error: unknown) => {
    process.stderr.write(`${startFailureText(error, config)}\n`);
    end(1);
  });
}

/** Slow: compares each variable with each setting, so call it after the start. */
function warnOfMisspelt(): void {
  if (!worker) for (const misspelt of describeMisspeltSettings(Object.keys(process.env))) log.warn(misspelt);
}

/** Addresses are printed in full: clients reject one that differs from the metadata. */
function startMessage(of: RunningService): string {
  const { baseUrl, mcpUrl, DATA_DIR } = of.config;
  const signIn =
    of.setupLink === undefined ? `Sign in      ${baseUrl}/sign-in` : `Set up here  ${of.setupLink}  (works once)`;
  const made = of.store.isNew ? `\n  New database ${resolve(DATA_DIR)}` : "";
  return `
  Brand Visibility is running.
${made}
  ${signIn}
  REST         ${baseUrl}/v1
  Reference    ${baseUrl}/docs  (${baseUrl}/openapi.json)
  Agent tools  ${mcpUrl}
  Claude Code  claude mcp add --transport http brand-visibility ${mcpUrl}

`;
}

/** Resolves when the message is sent, so that messages to a slow process do not accumulate. */
function sendToParent(message: WorkerOutput): Promise<void> {
  return new Promise((sent, fail) => {
    if (!process.connected) fail(new Error("The parent process has exited."));
    process.send?.(message, undefined, undefined, (error) => (error ? fail(error) : sent()));
  });
}

function readConfigOrStop(): Environment {
  try {
    return readConfig({ ...process.env, ...worker?.settings });
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error), 2);
  }
}

/** `init` allows creating a missing database in production; `worker` is JSON. */
function readOptionsOrStop(): { init: boolean; worker?: string | undefined } {
  try {
    return parseArgs({ options: { init: { type: "boolean", default: false }, worker: { type: "string" } } }).values;
  } catch {
    return exitWith("The only option is --init, which creates a missing database: npm start -- --init", 2);
  }
}

function exitWith(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  return process.exit(exitCode);
}
