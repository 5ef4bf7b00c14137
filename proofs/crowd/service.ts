import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import type * as Passwords from "../../auth/people/password.ts";
import { freePort } from "../../test/support/killable-process.ts";

export interface Tenant {
  accessToken: string;
  toolToken: string;
  organizationId: string;
  workspaceId: string;
  path: string;
  /** Sign-in of the owner. */
  email: string;
  password: string;
}

/**
 * A checkout's service with each part in a separate process, and two organizations: a busy one and
 * a calm one.
 */
export async function startCrowded(root: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "crowd-"));
  const port = String(await freePort());
  const tenants = await prepare(root, dataDir, port);
  const entry = existsSync(join(root, "src/start.ts")) ? "src/start.ts" : "src/main.ts";
  const child = spawn(process.execPath, ["--import", "tsx", entry], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: port, DEMO: "0", LOG_LEVEL: "error", ...NO_LIMITS },
  });
  // Also kills the service if this process exits early.
  process.once("exit", () => child.exitCode ?? child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const baseUrl = `http://localhost:${port}`;
  while (!(await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.ok) await sleep(100);
  // Waits for the worker process.
  await sleep(4000);
  return {
    baseUrl,
    ...tenants,
    memoryMb: () => memoryOf(child.pid ?? 0),
    /**
     * Cheaper than memoryMb and suited to frequent polling: counts shared pages once per process.
     */
    residentMb: () => residentIn(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type Crowded = Awaited<ReturnType<typeof startCrowded>>;

const NO_LIMITS = {
  RATE_LIMIT_ADDRESS: "0",
  RATE_LIMIT_ACCOUNT: "0",
  RATE_LIMIT_KEY: "0",
  RATE_LIMIT_CLIENT: "0",
  TOKEN_FAILURES_ADDRESS: "0",
};

async function prepare(root: string, dataDir: string, port: string) {
  const { world } = (await import(join(root, "test/support/world.ts"))) as typeof import("../../test/support/world.ts");
  const { mintToolToken } = (await import(
    join(root, "test/support/tool-token.ts")
  )) as typeof import("../../test/support/tool-token.ts");
  await using w = await world({ dataDir, env: { PORT: port } });
  const { hashPassword } = (await import(join(root, "auth/people/password.ts"))) as typeof Passwords;
  const password = randomUUID();
  const passwordHash = await hashPassword(password, { address: "test", email: "crowd@acme.test" });
  const open = async (name: string): Promise<Tenant> => {
    const { organization, workspace } = await w.insertTenant(name, 10_000_000);
    const member = { organizationId: organization.id, role: "owner" } as const;
    const [email, limits] = [`owner@${name}.test`, { brands: 100_000, answers: 100_000_000, tags: 1_000_000 }];
    const owner = await w.signIn(email, member);
    await w.store.write(async ({ q, t }) => {
      await q.update(t.users).set({ passwordHash }).where(eq(t.users.id, owner.id));
      await q.update(t.organizations).set({ quotas: limits }).where(eq(t.organizations.id, organization.id));
    });
    const { token } = await mintToolToken(w, owner, { expiresInSeconds: 3600 });
    const ids = { organizationId: organization.id, workspaceId: workspace.id };
    return { accessToken: owner.accessToken, toolToken: token, ...ids, path: workspace.path, email, password };
  };
  return { busy: await open("busy"), calm: await open("calm") };
}

/**
 * Memory of a process and its descendants, each shared page counted once (proc(5), smaps_rollup).
 */
function memoryOf(pid: number): number {
  const kilobytes = familyOf(pid).map((one) =>
    Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${one}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

function residentIn(pid: number): number {
  const kilobytes = familyOf(pid).map((one) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${one}/status`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

function familyOf(pid: number): number[] {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  const children = tasks.flatMap((task) => {
    const text = textOf(`/proc/${pid}/task/${task}/children`).trim();
    return text === "" ? [] : text.split(" ").map(Number);
  });
  return [pid, ...children.flatMap(familyOf)];
}

/** Empty if the process or thread has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
