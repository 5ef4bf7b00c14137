import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { updateOrganization } from "../db/identity/organizations.ts";
import { mintToolToken } from "../test/support/tool-token.ts";
import type { Db } from "../db/engine/store.ts";
import type { Browser } from "../examples/browser.ts";
import { signedInBrowser } from "../test/support/assistant.ts";
import { WITHOUT_LIMITS, world } from "../test/support/world.ts";

/** The shipped service with log lines and audit rows, and one signed-in person. */
export interface Product {
  port: number;
  token: string;
  accessToken: string;
  organizationId: string;
  /** A browser with a session. */
  browser: Browser;
  /** Path of the database file, for comparisons with plain SQL. */
  database: string;
  /** Address of a workspace whose organization has no practical limit on tags. */
  workspacePath: string;
  /** The owner of another, empty organization. */
  stranger: { accessToken: string; token: string; organizationId: string; workspaceId: string; path: string };
  /** Ids of the main process and its children. */
  processIds(): number[];
  /** Restarts the service on the same data and port, with empty caches. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Rate limits that are counted and never reached. */
export const WIDE_LIMITS = Object.fromEntries(Object.keys(WITHOUT_LIMITS).map((name) => [name, "1000000000"]));

/**
 * Starts this checkout's build with these settings on a new data folder, which `fill` populates.
 */
export async function startProduct(settings: Record<string, string>, fill: Fill = async () => {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-bench-"));
  const port = await freePort();
  const signedIn = await signIn(dataDir, port, fill);
  const start = async () => startBuild(join(import.meta.dirname, ".."), { dataDir, port, settings });
  let build = await start();
  return {
    port,
    database: join(dataDir, "visibility.db"),
    ...signedIn,
    processIds: () => build.processIds(),
    async restart() {
      await build.stop();
      build = await start();
    },
    async stop() {
      await build.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Starts `dist/src/start.js` of a checkout with its worker process. Its log is discarded. */
export async function startBuild(
  root: string,
  { dataDir, port, settings }: { dataDir: string; port: number; settings: Record<string, string> },
): Promise<{ processIds(): number[]; stop(): Promise<void> }> {
  const env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: "0",
    SERVE: "core,search,mcp,worker",
    ...settings,
  };
  const log = openSync("/dev/null", "w");
  const child = spawn(process.execPath, ["--enable-source-maps", join(root, "dist/src/start.js")], {
    env: { ...process.env, ...env },
    stdio: ["ignore", log, "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for (let tries = 0; !(await isReady(port)); tries++) {
    if (tries > 600 || child.exitCode !== null) throw new Error("The built service did not start; run npm run build.");
    await sleep(100);
  }
  // Waits for the worker process.
  await sleep(3000);
  return {
    processIds: () => withChildren(child.pid ?? 0),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A process and its descendants. Linux only. */
function withChildren(id: number): number[] {
  const children = readFileSync(`/proc/${id}/task/${id}/children`, "utf8").split(" ").filter(Boolean);
  return [id, ...children.flatMap((child) => withChildren(Number(child)))];
}

/** Inserts an organization's data before the service starts. */
type Fill = (db: Db, owner: { organizationId: string; workspaceId: string; userId: string }) => Promise<void>;

async function signIn(dataDir: string, port: number, fill: Fill) {
  await using w = await world({ dataDir, env: { PORT: String(port), SERVE: "core,search,mcp" } });
  const { owner, organization, workspace } = await w.acme();
  await w.store.write((db) => updateOrganization({ db, organizationId: organization.id }, { quotas: { tags: 1e9 } }));
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write((db) => fill(db, ids), { isLong: true });
  const { token } = await mintToolToken(w, owner, { expiresInSeconds: 3600 });
  const other = await w.insertTenant("Other");
  const stranger = await w.signIn("owner@other.test", { organizationId: other.organization.id, role: "owner" });
  const strangers = await mintToolToken(w, stranger, { expiresInSeconds: 3600 });
  return {
    token,
    browser: await signedInBrowser(w, owner.email),
    accessToken: owner.accessToken,
    organizationId: organization.id,
    workspacePath: workspace.path,
    stranger: {
      accessToken: stranger.accessToken,
      token: strangers.token,
      organizationId: other.organization.id,
      workspaceId: other.workspace.id,
      path: other.workspace.path,
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
