import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { writeFileSync } from "node:fs";

// A checkout's service in a separate process, which reports event loop blocks and memory. The
// message `begin` starts a measurement, `end` requests its result.

const root = process.argv[2] ?? "";
const { world, WITHOUT_LIMITS } = (await import(
  join(root, "test/support/world.ts")
)) as typeof import("../../test/support/world.ts");
const { provisionedClient } = (await import(
  join(root, "test/scim/client.ts")
)) as typeof import("../../test/scim/client.ts");
const { mintToolToken } = (await import(
  join(root, "test/support/tool-token.ts")
)) as typeof import("../../test/support/tool-token.ts");

const w = await world({ env: { ...WITHOUT_LIMITS, SERVE: "core,search,mcp,web,worker" } });
const { owner, organization, workspace } = await w.acme();
const scim = await provisionedClient(w, { owner, organization });
const tool = await mintToolToken(w, owner, { expiresInSeconds: 3600 });
const other = await w.insertTenant("Other");
const light = await w.signIn("light@other.test", { organizationId: other.organization.id, role: "owner" });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on("message", (message) => {
  if (message === "begin") {
    // Resets the peak of the resident memory (proc(5), clear_refs).
    writeFileSync("/proc/self/clear_refs", "5");
    delay.reset();
  } else process.send?.({ stallMs: delay.max / 1e6, bytes: process.memoryUsage.rss() });
});
process.send?.({
  pid: process.pid,
  baseUrl: w.config.baseUrl,
  workspacePath: workspace.path,
  tokens: { owner: owner.accessToken, scim: scim.token, tool: tool.token, light: light.accessToken },
});

/** Sent once the service is ready. */
export interface Serving {
  pid: number;
  baseUrl: string;
  workspacePath: string;
  tokens: Record<"owner" | "scim" | "tool" | "light", string>;
}

export interface Measured {
  stallMs: number;
  bytes: number;
}
