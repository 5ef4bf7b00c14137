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

async function runThroughSdk(connect: (typeof CLIENTS)[string]): Promise<string> {
  await using w = await world({ env: ENV });
  const authorization = new MemoryAuthorization("Interop assistant", CALLBACK);
  {
    await using first = await connect(w.config.mcpUrl, { authorization });
    await signInBy(first, authorization);
  }
  await using client = await connect(w.config.mcpUrl, { authorization, person: () => "accept" });
  return describeJob(await mainJob((name, given) => client.call(name, given)));
}

async function runThroughInspector(era: "legacy" | "auto" | "modern"): Promise<string> {
  await using w = await world({ env: ENV });
  await using inspector = await openInspector(w.config.mcpUrl, era);
  const { code, output } = await inspector.listStrictly();
  if (code !== 0) throw new Error(`tools/list --strict ended with ${code}:\n${output.slice(-2000)}`);
  return describeJob(await mainJob((name, given) => inspector.call(name, given), { confirmed: true }));
}

/** Runs a client without forms. `path` is appended to the tool server's address. */
async function runMainJob(
  open: (url: string) => Promise<{ call: CallTool } & AsyncDisposable>,
  path = "",
): Promise<string> {
  await using w = await world({ env: ENV });
  await using client = await open(w.config.mcpUrl + path);
  return describeJob(await mainJob(client.call, { confirmed: true }));
}

function describeJob({ brands, spentCredits }: MainJobResult): string {
  return `passed: ${brands.length} brands, the first ${brands[0]}; ${spentCredits} credits spent`;
}

const mainJobs: Record<string, () => Promise<string>> = {
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
/**
 * Calls a tool that a client without forms did not list. `test/mcp/find-tools.test.ts` checks the
 * SDKs.
 */
async function callUnlisted(
  open: (url: string) => Promise<{ call: CallTool } & AsyncDisposable>,
  path = "",
): Promise<string> {
  await using w = await world({ env: ENV });
  await using client = await open(`${w.config.mcpUrl}${path}?toolsets=essentials`);
  const found = await client.call("find_tools", { query: UNLISTED_TOOL });
  if (!found.text.includes(UNLISTED_TOOL)) throw new Error(`find_tools gave ${found.text.slice(0, 200)}`);
  const { text } = await client.call(UNLISTED_TOOL, {}).catch((error: unknown) => ({ text: String(error) }));
  return text.includes("Demo") ? "calls unlisted tools" : `calls no unlisted tools: ${text.slice(0, 160)}`;
}

const UNLISTED_TOOL = "list_organizations";

const unlistedRuns: Record<string, () => Promise<string>> = {
  "Inspector CLI": () => callUnlisted((url) => openInspector(url, "auto")),
  "mcp-remote": () => callUnlisted(openMcpRemote),
  "AI SDK": () => callUnlisted(openAiSdk),
  Codex: () => callUnlisted((url) => openAgent(CODEX, url)),
  opencode: () => callUnlisted((url) => openAgent(OPENCODE, url), "/connect"),
};

/** Known clients that this command skips, with the reason. */
const SKIPPED_CLIENTS = {
  "Claude Code": "its package has a licence of its own, so it is not installed with the others",
};

await installTools();
const chosen = process.argv.slice(2);
let failed = 0;

async function runEach(all: Record<string, () => Promise<string>>): Promise<void> {
  for (const [name, run] of Object.entries(all)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const startedAt = performance.now();
    const line = await run().catch((error: unknown) => {
      failed++;
      return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
    });
    console.info(`${name.padEnd(24)} ${line} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
  }
}

await runEach(mainJobs);
await runEach(unlistedRuns);
for (const [name, why] of Object.entries(SKIPPED_CLIENTS)) console.info(`${name.padEnd(24)} not run: ${why}`);
process.exitCode = failed === 0 ? 0 : 1;
