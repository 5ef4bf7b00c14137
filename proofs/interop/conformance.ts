import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerClient } from "../../test/support/assistant.ts";
import { conformanceFeatures } from "../conformance/features.ts";
import { MAIN_JOB_ENV, signInThroughPages } from "../../test/main-job/main-job.ts";
import { mintToolToken } from "../../test/support/tool-token.ts";
import { world } from "../../test/support/world.ts";
import { openBearerProxy } from "./bearer-proxy.ts";
import { installTools, runTool } from "./tools.ts";

// Runs the protocol's conformance suite against the service: as a server of each revision, with the
// fixtures that the suite calls by name, and as an authorization server.

const REVISIONS = ["2026-07-28", "2025-11-25"];
const CALLBACK_PORT = 3999;
const SUITE = "@modelcontextprotocol/conformance/dist/index.js";

await installTools();
const results = await mkdtemp(join(tmpdir(), "conformance-"));
const failed: string[] = [];
try {
  await runServerScenarios();
  await runAuthorizationScenarios();
} finally {
  await rm(results, { recursive: true });
}
if (failed.length > 0) console.error(`\nDoes not conform: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/**
 * The required server scenarios of a revision, through a proxy that signs in because the suite
 * cannot.
 */
async function runServerScenarios(): Promise<void> {
  const proxy = await openBearerProxy();
  await using w = await world({
    env: {
      SERVE: "core,search,mcp,web",
      ALLOWED_HOSTS: `localhost:${proxy.port},127.0.0.1:${proxy.port}`,
    },
    mcpFeatures: conformanceFeatures,
  });
  try {
    const { owner } = await w.acme();
    const { token } = await mintToolToken(w, owner);
    proxy.to(w.config.mcpUrl, token);
    const url = `http://localhost:${proxy.port}/mcp`;
    const known = join(import.meta.dirname, "known.yaml");
    for (const revision of REVISIONS) {
      const given = ["server", "--url", url, "--requirements", revision, "--expected-failures", known];
      printResult(revision, await runTool(SUITE, [...given, "-o", results]));
    }
  } finally {
    await proxy.close();
  }
}

/**
 * The authorization server scenarios; a stand-in browser follows the address that the suite prints.
 */
async function runAuthorizationScenarios(): Promise<void> {
  await using w = await world({ env: MAIN_JOB_ENV });
  const redirectUrl = `http://127.0.0.1:${CALLBACK_PORT}/callback`;
  const { body } = await registerClient(w, { client_name: "Conformance suite", redirect_uris: [redirectUrl] });
  let visited = false;
  const heard = (output: string) => {
    const address = /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(output)?.[0];
    if (visited || address === undefined) return;
    visited = true;
    void signInThroughPages(new URL(address), redirectUrl)
      .then((callback) => fetch(`${redirectUrl}?${callback.toString()}`))
      .catch((error: unknown) => console.error("The stand-in browser failed:", error));
  };
  const given = ["authorization", "--url", w.config.baseUrl, "--client-id", String(body.client_id)];
  const more = ["--port", String(CALLBACK_PORT), "--resource", w.config.mcpUrl, "-o", results];
  printResult("authorization", await runTool(SUITE, [...given, ...more], { heard }));
}

function printResult(what: string, { code, output }: { code: number; output: string }): void {
  if (code !== 0) failed.push(what);
  console.info(`\n${what}: ${code === 0 ? "conforms" : "does not conform"}\n${summaryOf(output)}`);
}

/** The suite's final summary; its whole output with --verbose. */
function summaryOf(output: string): string {
  const at = output.lastIndexOf("SUMMARY");
  return process.argv.includes("--verbose") || at === -1 ? output.trim() : output.slice(at).trim();
}
