import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import type * as Passwords from "../../auth/people/password.ts";
import type * as Demo from "../../src/demo/demo.ts";
import type * as Assistants from "../../test/support/assistant.ts";
import type * as ToolTokens from "../../test/support/tool-token.ts";
import type * as Worlds from "../../test/support/world.ts";
import { startBuild } from "../../bench/product.ts";
import { freePort } from "../../test/support/killable-process.ts";
import { startHostileSite } from "./hostile-site.ts";

// The service of a checkout as `npm start` runs it, with an attacking and a calm organization.

export interface Member {
  email: string;
  apiKey: string;
  accessToken: string;
  toolToken: string;
  cookie: string;
  organizationId: string;
  workspaceId: string;
  /** Address of the workspace. */
  path: string;
  /** Address of imports into its first search analysis. */
  importPath: string;
}

export interface Attacked extends AsyncDisposable {
  baseUrl: string;
  attacker: Member;
  /** Owners of other organizations that help the attacker. */
  helpers: readonly Member[];
  calm: Member;
  /** A signed-in person without an organization. */
  guest: { email: string; cookie: string };
  /** E-mails of people who sign in with `password`. */
  others: readonly string[];
  password: string;
}

/** Rate limits that are counted and never reached, so that none slows an attack. */
const WIDE_RATES = Object.fromEntries(
  ["RATE_LIMIT_ADDRESS", "RATE_LIMIT_ACCOUNT", "RATE_LIMIT_KEY", "RATE_LIMIT_CLIENT"].map((name) => [
    name,
    "1000000000",
  ]),
);
const OTHERS = 20;
const HELPERS = 3;

/** Compiles a checkout and fills a data folder. Each `start` serves a new copy of the folder. */
export async function prepareAttacked(root: string) {
  execFileSync(process.execPath, ["build.js"], { cwd: root, stdio: "inherit" });
  const load = <T>(path: string) => import(join(root, path)) as Promise<T>;
  const worlds = await load<typeof Worlds>("test/support/world.ts");
  const folder = await mkdtemp(join(tmpdir(), "attacked-"));
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const people = await fill();
  const site = await startHostileSite();

  async function fill() {
    const { signedInBrowser } = await load<typeof Assistants>("test/support/assistant.ts");
    const { mintToolToken } = await load<typeof ToolTokens>("test/support/tool-token.ts");
    const { insertDemo } = await load<typeof Demo>("src/demo/demo.ts");
    const { hashPassword } = await load<typeof Passwords>("auth/people/password.ts");
    const env = { PORT: String(port), ...worlds.WITH_WORKER, ...worlds.WITHOUT_LIMITS };
    await using w = await worlds.world({ dataDir: folder, env });
    const { deps, store } = w;
    const password = randomUUID();
    const passwordHash = await hashPassword(password, { address: "test", email: "attacked@acme.test" });
    const browserOf = async (email: string) => (await signedInBrowser(w, email)).cookieHeader(new URL(baseUrl));
    const withPassword = async (email: string) => {
      const { id } = await w.signIn(email);
      await store.write(({ q, t }) => q.update(t.users).set({ passwordHash }).where(eq(t.users.id, id)));
      return email;
    };
    const member = async (email: string): Promise<Member> => {
      const owner = await w.signIn(email);
      const { now, newId, prices, adapters } = deps;
      await store.write((db) => insertDemo(db, { ownerId: owner.id, now: now(), newId, prices, adapters }));
      deps.wakeWorker();
      const { body } = await owner.get("/v1/workspaces");
      const [workspace] = body.data as { id: string; organization_id: string }[];
      const [organizationId, workspaceId] = [workspace?.organization_id ?? "", workspace?.id ?? ""];
      const path = `/v1/organizations/${organizationId}/workspaces/${workspaceId}`;
      for (const name of ["Target", "Bigname"]) {
        await owner.post(`${path}/brands`, { name, domains: [`${name}.example`], relationship: "competitor" });
      }
      const { token: toolToken } = await mintToolToken(w, owner, { expiresInSeconds: 3600 });
      const { apiKey, accessToken } = owner;
      const cookie = await browserOf(email);
      const analyses = await owner.get(`${path}/analyses`);
      const search = (analyses.body.data as { id: string; type: string }[]).find(
        ({ type }) => type === "search_analysis",
      );
      if (!search) throw new Error("The demo has no search analysis.");
      const importPath = `${path}/analyses/${search.id}/answers/import`;
      return { email, apiKey, accessToken, toolToken, cookie, organizationId, workspaceId, path, importPath };
    };
    const helpers: Member[] = [];
    for (let at = 0; at < HELPERS; at++) helpers.push(await member(`owner@helper-${at}.test`));
    const filled = {
      attacker: await member("owner@attacker.test"),
      helpers,
      calm: await member("owner@calm.test"),
      guest: { email: await withPassword("guest@nowhere.test"), cookie: await browserOf("guest@nowhere.test") },
      others: [] as string[],
      password,
    };
    for (let at = 0; at < OTHERS; at++) filled.others.push(await withPassword(`other-${at}@nowhere.test`));
    // Waits until the worker has finished its initial jobs on both demos.
    await sleep(15_000);
    return filled;
  }

  return {
    /** Starts the service with all its processes on a copy of the folder. */
    async start(): Promise<Attacked> {
      const dataDir = await mkdtemp(join(tmpdir(), "attacked-"));
      await cp(folder, dataDir, { recursive: true });
      const settings = { ...WIDE_RATES, ...site.settings, SERVE: "core,search,mcp,web,worker" };
      const build = await startBuild(root, { dataDir, port, settings: { ...settings, LOG_LEVEL: "silent" } });
      return {
        baseUrl,
        ...people,
        async [Symbol.asyncDispose]() {
          for (const pid of build.processIds().toReversed()) process.kill(pid, "SIGKILL");
          await rm(dataDir, { recursive: true, force: true });
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
