import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintToolToken } from "../tool-token.ts";
import { world } from "../world.ts";
import { openBearerProxy } from "./bearer-proxy.ts";
import { installTools, runTool } from "./tools.ts";

// Runs the protocol's conformance suite against the real service, with its fixtures, once per protocol revision.

const REVISIONS = ["2026-07-28", "2025-11-25"];
const SUITE = "@modelcontextprotocol/conformance/dist/index.js";

await installTools();
const proxy = await openBearerProxy();
const results = await mkdtemp(join(tmpdir(), "conformance-"));
const failed: string[] = [];
try {
  await using w = await world({
    env: {
      CONFORMANCE_FIXTURES: "1",
      SERVE: "core,search,mcp,web",
      ALLOWED_HOSTS: `localhost:${proxy.port},127.0.0.1:${proxy.port}`,
    },
  });
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  proxy.to(w.config.mcpUrl, token);
  for (const revision of REVISIONS) {
    const url = `http://localhost:${proxy.port}/mcp`;
    const known = join(import.meta.dirname, "known.yaml");
    const given = ["server", "--url", url, "--requirements", revision, "--expected-failures", known, "-o", results];
    const { code, output } = await runTool(SUITE, given);
    console.info(`\n${revision}: ${code === 0 ? "conforms" : "does not conform"}\n${summaryOf(output)}`);
    if (code !== 0) failed.push(revision);
  }
} finally {
  await proxy.close();
  await rm(results, { recursive: true });
}
process.exitCode = failed.length === 0 ? 0 : 1;

/** What the suite says at its end, and every check that failed before. */
function summaryOf(output: string): string {
  if (process.argv.includes("--verbose")) return output;
  const at = output.lastIndexOf("SUMMARY");
  return (at === -1 ? output.slice(-4000) : output.slice(at)).trim();
}
