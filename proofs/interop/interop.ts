import { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import { MAIN_JOB_ENV, mainJob, signInBy, type CallTool, type MainJobResult } from "../../test/main-job/main-job.ts";
import { CLIENTS } from "../../test/support/tool-client.ts";
import { world } from "../../test/support/world.ts";
import { CODEX, OPENCODE, openAgent } from "./agents.ts";
import { openAiSdk } from "./ai-sdk.ts";
import { openInspector } from "./inspector.ts";
import { openMcpRemote } from "./mcp-remote.ts";
import { installTools } from "./tools.ts";

// The main job through real clients that sign in themselves, each against a separate service.
// Arguments name the clients to run; by default all run.

const CALLBACK = "http://127.0.0.1:43120/callback";
/**
 * Codex identifies itself by a document on the internet, which a test must not need, so it
 * registers instead.
 */
const ENV = { ...MAIN_JOB_ENV, CLIENT_METADATA_DOCUMENTS: "0" };

async function runThroughSdk(connect: (typeof CLIENTS)[string]): Promise<MainJobResult> {
  await using w = await world({ env: ENV });
  const authorization = new MemoryAuthorization("Interop assistant", CALLBACK);
  {
    await using first = await connect(w.config.mcpUrl, { authorization });
    await signInBy(first, authorization);
  }
  await using client = await connect(w.config.mcpUrl, { authorization, person: () => "accept" });
  return await mainJob((name, given) => client.call(name, given));
}

async function runThroughInspector(era: "legacy" | "auto" | "modern"): Promise<MainJobResult> {
  await using w = await world({ env: ENV });
  await using inspector = await openInspector(w.config.mcpUrl, era);
  const { code, output } = await inspector.listStrictly();
  if (code !== 0) throw new Error(`tools/list --strict ended with ${code}:\n${output.slice(-2000)}`);
  return await mainJob((name, given) => inspector.call(name, given), { confirmed: true });
}

/** Runs a client without forms. `path` is appended to the tool server's address. */
async function runMainJob(
  open: (url: string) => Promise<{ call: CallTool } & AsyncDisposable>,
  path = "",
): Promise<MainJobResult> {
  await using w = await world({ env: ENV });
  await using client = await open(w.config.mcpUrl + path);
  return await mainJob(client.call, { confirmed: true });
}

const runs: Record<string, () => Promise<MainJobResult>> = {
  ...Object.fromEntries(Object.entries(CLIENTS).map(([name, connect]) => [name, () => runThroughSdk(connect)])),
  "Inspector CLI, legacy": () => runThroughInspector("legacy"),
  "Inspector CLI, auto": () => runThroughInspector("auto"),
  "Inspector CLI, modern": () => runThroughInspector("modern"),
  "mcp-remote": () => runMainJob(openMcpRemote),
  "AI SDK": () => runMainJob(openAiSdk),
  Codex: () => runMainJob((url) => openAgent(CODEX, url)),
  // It cannot sign in later, so it needs the address that requires sign-in at once.
  opencode: () => runMainJob((url) => openAgent(OPENCODE, url), "/connect"),
};
/** Known clients that this command skips, with the reason. */
const SKIPPED_CLIENTS = {
  "Claude Code": "its package has a licence of its own, so it is not installed with the others",
};

await installTools();
const chosen = process.argv.slice(2);
let failed = 0;
for (const [name, run] of Object.entries(runs)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const startedAt = performance.now();
  const line = await run().then(
    ({ brands, spentCredits }) =>
      `passed: ${brands.length} brands, the first ${brands[0]}; ${spentCredits} credits spent`,
    (error: unknown) => {
      failed++;
      return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
    },
  );
  console.info(`${name.padEnd(24)} ${line} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
}
for (const [name, why] of Object.entries(SKIPPED_CLIENTS)) console.info(`${name.padEnd(24)} not run: ${why}`);
process.exitCode = failed === 0 ? 0 : 1;
