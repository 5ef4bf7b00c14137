import { rm } from "node:fs/promises";
import { pino, type Logger } from "pino";
import { formatApiKeyHint, newApiKey } from "../../auth/keys/api-key.ts";
import { insertApiKey } from "../../db/identity/api-keys.ts";
import { grantCredits } from "../../db/credits/credits.ts";
import { insertMember, insertOrganization } from "../../db/identity/organizations.ts";
import { findUserByEmail, insertUser } from "../../db/identity/users.ts";
import { setWorkspaceRole } from "../../db/identity/members.ts";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import type { OrganizationRole, WorkspaceRole } from "../../core/identity/roles.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Deadlines } from "../../src/http/deadlines.ts";
import type { OpenFeatures } from "../../src/http/mcp/mcp-context.ts";
import { startService } from "../../src/service.ts";
import { openCommitted } from "./committed.ts";
import { createFolderCopier } from "./copied-folder.ts";
import { localProof } from "../sign-in/address-proof.ts";
import { expectDeclared } from "./declared-output.ts";
import { needsRecentSignIn } from "../sign-in/recent-sign-in.ts";

/** A REST response, complete for whole-value comparisons. */
export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test states the shape that it expects of a body
  body: any;
}

/** A caller of the REST API with an access token. */
export interface Person {
  id: string;
  email: string;
  apiKey: string;
  /** Token of an API key, valid for everything except calls that need a recent sign-in. */
  accessToken: string;
  /** A token of a sign-in of this moment. */
  signedInToken(): Promise<string>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  request(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
}

/**
 * Every part of the service, with the worker: `env: WITH_WORKER` for a test in which collects run.
 */
export const WITH_WORKER = { SERVE: "core,search,mcp,web,worker" };

/** Disables rate limits, for tests with many requests. */
export const WITHOUT_LIMITS = {
  RATE_LIMIT_ADDRESS: "0",
  RATE_LIMIT_ACCOUNT: "0",
  RATE_LIMIT_KEY: "0",
  RATE_LIMIT_CLIENT: "0",
  TOKEN_FAILURES_ADDRESS: "0",
  SIGN_INS_ACCOUNT: "0",
  SIGN_INS_ADDRESS: "0",
  UPLOADS: "0",
  UPLOADS_ACCOUNT: "0",
};

/** A folder with an empty database. Copying it takes a fortieth of the time of creating it. */
const emptyFolder = createFolderCopier("empty", async (dataDir) => {
  const store = await openStore(dataDir);
  await store.close();
});

/**
 * The service on its own database and a free port, without mocks of product code. No worker runs by
 * default, so that stored rows stay unchanged.
 */
export async function world(
  options: {
    env?: Record<string, string>;
    now?: () => string;
    dataDir?: string;
    /** Replaces outbound fetch. */
    fetch?: typeof globalThis.fetch;
    /** Destination of the service's log. */
    log?: Logger;
    /** Replaces the tool server's prompts and resources. */
    mcpFeatures?: OpenFeatures;
    deadlines?: Deadlines;
  } = {},
) {
  const dataDir = options.dataDir ?? (await emptyFolder());
  const removeFolder = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true });
  };
  const environment = readConfig({
    PORT: "0",
    DEMO: "0",
    LOG_LEVEL: "silent",
    DATA_DIR: dataDir,
    SERVE: "core,search,mcp,web",
    // Nothing listens there, so tests resolve no outside names.
    DNS_SERVERS: "127.0.0.1:9",
    ...options.env,
  });
  const service = await startService(environment, {
    log: options.log ?? pino({ level: environment.LOG_LEVEL }),
    ...(options.now ? { now: options.now } : {}),
    ...(options.fetch ? { fetch: options.fetch } : {}),
    mcpFeatures: options.mcpFeatures,
    deadlines: options.deadlines,
  }).catch(async (error: unknown) => {
    await removeFolder();
    throw error;
  });
  const { deps, store, config } = service;

  async function request(
    method: string,
    path: string,
    init: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const raw =
      typeof init.body === "string" ||
      init.body instanceof FormData ||
      init.body instanceof URLSearchParams ||
      init.body instanceof Uint8Array;
    const response = await fetch(new URL(path, config.baseUrl), {
      method,
      headers: { ...(init.body === undefined || raw ? {} : { "content-type": "application/json" }), ...init.headers },
      ...(init.body === undefined ? {} : { body: raw ? (init.body as string) : JSON.stringify(init.body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json") ?? false;
    const body = json && text !== "" ? JSON.parse(text) : text;
    const answer = { status: response.status, headers: response.headers, body };
    expectDeclared(method, path, answer);
    return answer;
  }

  /** Creates an organization with one workspace and credits. */
  async function insertTenant(name: string, credits = 10_000) {
    const at = deps.now();
    const organization = { id: deps.newId(), name };
    const workspace = { id: deps.newId(), name: `${name} workspace` };
    await store.write(async (db) => {
      await insertOrganization(
        db,
        { ...organization, plan: "test", modules: ["search"], quotas: {}, createdAt: at },
        null,
      );
      await insertWorkspace({ db, organizationId: organization.id }, { ...workspace, createdAt: at, updatedAt: at });
      await grantCredits({ db, organizationId: organization.id }, credits, {
        id: deps.newId(),
        at,
        note: "Test grant",
      });
    });
    const path = `/v1/organizations/${organization.id}`;
    return {
      organization: { ...organization, path },
      workspace: { ...workspace, path: `${path}/workspaces/${workspace.id}` },
    };
  }

  /** Signs a person in over REST with an API key, making the account at the first call. */
  async function signIn(
    email: string,
    member: {
      organizationId?: string;
      role?: OrganizationRole;
      workspaceId?: string;
      workspaceRole?: WorkspaceRole;
    } = {},
  ): Promise<Person> {
    const at = deps.now();
    const apiKey = newApiKey("user");
    const known = await findUserByEmail(openCommitted(store), email);
    const id = known?.id ?? deps.newId();
    await store.write(async (db) => {
      if (!known) await insertUser(db, { id, email, name: email, createdAt: at });
      const { organizationId, workspaceId, workspaceRole } = member;
      if (organizationId !== undefined) {
        await insertMember({ db, organizationId }, { userId: id, role: member.role ?? "guest", createdAt: at });
        if (workspaceId !== undefined && workspaceRole !== undefined) {
          await setWorkspaceRole({ db, organizationId, workspaceId }, id, { role: workspaceRole, at });
        }
      }
      const keyHash = deps.restTokens.hashApiKey(apiKey);
      await insertApiKey(db, {
        id: deps.newId(),
        kind: "user",
        name: "test",
        userId: id,
        proofId: await localProof(db, id, { now: at, newId: deps.newId }),
        keyHash,
        hint: formatApiKeyHint(apiKey),
        createdAt: at,
      });
    });
    const exchanged = await request("POST", "/v1/auth/token", { body: { api_key: apiKey } });
    const accessToken = exchanged.body.access_token as string;
    const signedInToken = () =>
      store.write(async (db) => {
        const proofId = await localProof(db, id, { now: deps.now(), newId: deps.newId });
        return deps.restTokens.issueAfterSignIn(
          db,
          { userId: id, proofId, authenticatedAt: deps.now() },
          deps.now(),
          deps.newId,
        );
      });
    // Calls that an API key may not make use the token of a recent sign-in.
    const as = async (
      method: string,
      path: string,
      init: { body?: unknown; headers?: Record<string, string> } = {},
    ) => {
      const token = needsRecentSignIn(method, path) ? await signedInToken() : accessToken;
      return request(method, path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
    };
    return {
      id,
      email,
      apiKey,
      accessToken,
      signedInToken,
      get: (path) => as("GET", path),
      post: (path, body, headers) => as("POST", path, { body, ...(headers ? { headers } : {}) }),
      patch: (path, body) => as("PATCH", path, { body }),
      delete: (path) => as("DELETE", path),
      request: as,
    };
  }

  return {
    ...service,
    request,
    insertTenant,
    signIn,
    /** The default scene: one organization, its workspace and its owner. */
    async acme() {
      const tenant = await insertTenant("Acme");
      const owner = await signIn("owner@acme.test", { organizationId: tenant.organization.id, role: "owner" });
      return { ...tenant, owner };
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await removeFolder();
    },
  };
}
