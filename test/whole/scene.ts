import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, inArray } from "drizzle-orm";
import { grantCredits } from "../../db/credits/credits.ts";
import { insertDomain, markDomainVerified } from "../../db/identity/domains/domains.ts";
import { insertScimGroup } from "../../db/identity/provisioning/scim-groups.ts";
import type { Db } from "../../db/engine/store.ts";
import { addMs } from "../../core/shared/time.ts";
import { insertDemo } from "../../src/demo/demo.ts";
import { PLATFORM_KINDS } from "../../core/platforms/platforms.ts";
import { insertConnection } from "../platforms/insert-connection.ts";
import { QUOTAS } from "../../core/credits/quotas.ts";
import { endpoints } from "../../tools/index.ts";
import { ASKS_NO_SOURCE } from "../../tools/metric-reads/selection/asking-project.ts";
import { localProof } from "../sign-in/address-proof.ts";
import { WITH_WORKER, WITHOUT_LIMITS, world, type Answer, type Person } from "../support/world.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { startImportReader } from "../catalog/import-reader.ts";
import { startNameServer } from "../domains/name-server.ts";
import { findAccessRule } from "../access/access-table.ts";
import { TXT_RECORDS, type ResourceIds, type SeedContext } from "./seeds.ts";
import { openCommitted } from "../support/committed.ts";
import { createFolderCopier } from "../support/copied-folder.ts";

// One service with two filled organizations: ours, and a rival whose data must never be visible.

export type World = Awaited<ReturnType<typeof world>>;

export interface Scene {
  w: World;
  owner: Person;
  editor: Person;
  viewer: Person;
  guest: Person;
  rival: Person;
  home: ResourceIds;
  rivalHome: ResourceIds;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Generous, for a machine under load. */
export const SCENE_TIMEOUT_MS = 180_000;

const PLENTY_CREDITS = 1_000_000_000;

/** Two organizations, filled while a worker runs. */
const filledFolder = createFolderCopier("filled", async (dataDir) => {
  await using w = await world({ dataDir, env: { ...WITH_WORKER, ...WITHOUT_LIMITS } });
  for (const email of [OWNER, RIVAL]) await fill(w, email);
  await waitForBackgroundWork(w);
  for (const email of [OWNER, RIVAL]) {
    const person = await w.signIn(email);
    const own = await homeOf(person);
    await seed(person, own);
    expectOk(await person.request("PUT", `/v1/me/favourites/${own["workspace_id"]}`), "addFavourite");
  }
  await waitForBackgroundWork(w);
});

/**
 * Serves two filled organizations without a worker, so that stored data stays unchanged. Imports
 * are read unless `readsImports` is false. `serve` starts a process on the same data at
 * `env.BASE_URL`, which then receives the requests.
 */
export async function openScene({
  readsImports = true,
  env = {},
  serve,
}: {
  readsImports?: boolean;
  env?: Record<string, string>;
  serve?: (env: Record<string, string> & { DATA_DIR: string }) => Promise<void>;
} = {}): Promise<Scene> {
  const dataDir = await filledFolder();
  const dns = await startNameServer(TXT_RECORDS);
  const settings = { ...WITHOUT_LIMITS, DNS_SERVERS: dns.address, ...env };
  await serve?.({ ...settings, DATA_DIR: dataDir });
  const w = await world({ dataDir, env: settings });
  const reader = readsImports ? startImportReader(w) : undefined;
  const [owner, rival] = [await w.signIn(OWNER), await w.signIn(RIVAL)];
  const [home, rivalHome] = [await homeOf(owner), await homeOf(rival)];
  const organizationId = home["organization_id"] ?? "";
  const as = (role: "editor" | "viewer" | "guest") => w.signIn(`${role}@home.test`, { organizationId, role });
  return {
    w,
    owner,
    editor: await as("editor"),
    viewer: await as("viewer"),
    guest: await as("guest"),
    rival,
    home,
    rivalHome,
    async [Symbol.asyncDispose]() {
      await reader?.[Symbol.asyncDispose]();
      await w[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}

const OWNER = "owner@home.test";
const RIVAL = "owner@rival.test";

/** Members that nobody signs in as, to be changed and removed. */
const SPARE_MEMBERS = 300;
const WITHOUT_ROLE = { externalId: null, organizationRole: null, workspaceId: null, workspaceRole: null, version: 1 };
const SPARE_ACCESS = 100;

/** Inserts browser sessions and assistants of a person, for reading and revoking. */
async function insertAccess(db: Db, userId: string, { at, newId }: { at: string; newId: () => string }): Promise<void> {
  const expiresAt = addMs(at, 86_400_000);
  const proofId = await localProof(db, userId, { now: at, newId });
  const spares = Array.from({ length: SPARE_ACCESS }, () => newId());
  await db.bulkInsert(
    db.t.webSessions,
    spares.map((id) => ({ idHash: `hash of ${id}`, id, userId, proofId, browser: "Spare", createdAt: at, expiresAt })),
  );
  const clientId = "spare";
  const grant = { model: "Grant", payload: { accountId: userId, clientId }, accountId: userId, clientId };
  await db.bulkInsert(
    db.t.oauthRecords,
    spares.map((id) => ({ ...grant, id, proofId, createdAt: at, expiresAt })),
  );
}

/** An analysed organization with credits and room for everything. */
async function fill(w: World, email: string): Promise<void> {
  const { deps, store, signIn } = w;
  const { now, newId, prices, adapters } = deps;
  // Inserted before the owner, so that they come first in the list and one of them is removed.
  const spares = Array.from({ length: SPARE_MEMBERS }, () => newId());
  const owner = await signIn(email);
  const { id: ownerId } = owner;
  await store.write(async (db) => {
    await insertAccess(db, ownerId, { at: now(), newId });
    await insertDemo(db, { ownerId, now: now(), newId, prices, adapters });
    const { q, t } = db;
    const [own] = await q
      .select({ organizationId: t.organizationMembers.organizationId })
      .from(t.organizationMembers)
      .where(eq(t.organizationMembers.userId, ownerId));
    if (!own) throw new Error("The demo organization has no member.");
    await db.bulkInsert(
      t.users,
      spares.map((id) => ({ id, email: `spare-${id}@spare.test`, name: "Spare", createdAt: now() })),
    );
    await db.bulkInsert(
      t.organizationMembers,
      spares.map((userId) => ({ ...own, userId, role: "viewer" as const, createdAt: now() })),
    );
    const quotas = Object.fromEntries(QUOTAS.map((quota) => [quota, PLENTY_CREDITS]));
    await q.update(t.organizations).set({ quotas }).where(eq(t.organizations.id, own.organizationId));
    const domain = { id: newId(), domain: email.slice(email.indexOf("@") + 1), token: "token", createdAt: now() };
    await markDomainVerified({ db, ...own }, await insertDomain({ db, ...own }, domain), { by: "operator", at: now() });
    const group = { id: newId(), displayName: "Staff", displayNameKey: "staff", createdAt: now(), updatedAt: now() };
    await insertScimGroup({ db, ...own }, { ...group, ...WITHOUT_ROLE });
    await grantCredits({ db, ...own }, PLENTY_CREDITS, { id: newId(), at: now(), note: "Test grant" });
  });
  const { organization_id: organizationId = "", workspace_id: workspaceId = "" } = await homeOf(owner);
  for (const platform of PLATFORM_KINDS)
    await insertConnection(w, { organizationId, workspaceId, userId: ownerId, platform });
  deps.wakeWorker();
}

/** Waits until no collect and no background job is left. */
async function waitForBackgroundWork({ store }: World): Promise<void> {
  const { q, t } = openCommitted(store);
  for (let waited = 0; waited < 150_000; waited += 50) {
    const collects = await q
      .select({ id: t.collects.id })
      .from(t.collects)
      .where(inArray(t.collects.status, ["queued", "running"]));
    const jobs = await q
      .select({ id: t.backgroundJobs.id })
      .from(t.backgroundJobs)
      .where(inArray(t.backgroundJobs.status, ["queued", "leased"]));
    if (collects.length + jobs.length === 0) return;
    await sleep(50);
  }
  throw new Error("The worker did not end its work in time.");
}

async function homeOf(person: Person): Promise<ResourceIds> {
  const { data } = expectOk(await person.get("/v1/workspaces"), "the list of workspaces");
  const [workspace] = data;
  return { organization_id: workspace.organization_id, workspace_id: workspace.id };
}

/** Calls every endpoint that creates something once, in the order of the table. */
export async function seed(person: Person, home: ResourceIds): Promise<void> {
  const creators = endpoints.filter(({ status, sendsFile }) => status === 201 || sendsFile !== undefined);
  for (const endpoint of creators) {
    const [first = {}] = await chainsOf(endpoint.path, person, home, new Map());
    const ids = await targetOf(endpoint, { person, home, ids: first });
    const body = await exampleOf(endpoint, { person, home, ids });
    // The scene may have no worker to wait for.
    const headers = { prefer: "respond-async" };
    const answer = await person.request("POST", fillPath(endpoint.path, ids), { body, headers });
    // Exports stay unfinished without a worker, so their limit is reached.
    if (answer.status !== 429) expectOk(answer, endpoint.name);
  }
}

/** The ids for a call: those given, with the ids of an object created for this call. */
export async function targetOf(
  endpoint: AnyEndpoint,
  at: { person: Person; home: ResourceIds; ids: ResourceIds },
): Promise<ResourceIds> {
  const made = await findAccessRule(endpoint.name)?.target?.(placeOf(at));
  return { ...at.ids, ...made };
}

function placeOf({ person, home, ids }: { person: Person; home: ResourceIds; ids: ResourceIds }): SeedContext {
  const workspacePath = fillPath("/v1/organizations/:organization_id/workspaces/:workspace_id", home);
  return { person, ids, workspacePath };
}

/** A body with which a write succeeds: from its line of the table, or empty. */
export async function exampleOf(
  endpoint: AnyEndpoint,
  at: { person: Person; home: ResourceIds; ids: ResourceIds },
): Promise<unknown> {
  const body = findAccessRule(endpoint.name)?.body;
  if (typeof body === "function") return body(placeOf(at));
  // A copy, since some tests change the body before they send it.
  if (body !== undefined) return structuredClone(body);
  if (endpoint.input.safeParse(at.ids).success) return {};
  throw new Error(
    `${endpoint.name} needs a body in its line in test/access/access-table.ts: one with which it succeeds.`,
  );
}

// oxlint-disable-next-line typescript/no-explicit-any -- the body is whatever the endpoint answers
export function expectOk(answer: Answer, what: string): any {
  if (answer.status < 300) return answer.body;
  throw new Error(
    `${what} (its body stands in test/access/access-table.ts) was refused: ${JSON.stringify(answer.body)}`,
  );
}

/** True where the thing that was named has no such figures: a GEO audit among the analyses. */
export function hasNoSources({ status, body }: Answer): boolean {
  return status === 422 && body.message === ASKS_NO_SOURCE;
}

/** An id without an object. */
const NOTHING = "00000000-0000-7000-8000-000000000000";

/** The address with its parameters filled in; missing ones get an id without an object. */
export function fillPath(path: string, ids: ResourceIds): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? NOTHING));
}

const ROWS_PER_LIST = 8;
const CHAINS_PER_PATH = 24;

/**
 * Chains of ids that a person can see, for every path of the table, from the list at the preceding
 * address. Throws when a parameter has no list; a path has no chain when its list is empty.
 */
export async function listResourceIds(person: Person, home: ResourceIds): Promise<Map<string, ResourceIds[]>> {
  const found = new Map<string, ResourceIds[]>();
  for (const { path } of endpoints) await chainsOf(path, person, home, found);
  return found;
}

async function chainsOf(
  path: string,
  person: Person,
  home: ResourceIds,
  found: Map<string, ResourceIds[]>,
): Promise<ResourceIds[]> {
  const last = path.lastIndexOf("/:");
  if (last === -1) return [{}];
  const end = path.indexOf("/", last + 1);
  const prefix = end === -1 ? path : path.slice(0, end);
  const known = found.get(prefix);
  if (known) {
    found.set(path, known);
    return known;
  }
  const parameter = prefix.slice(last + 2);
  const collection = prefix.slice(0, last);
  const parents = await chainsOf(collection, person, home, found);
  const chains: ResourceIds[] = [];
  for (const parent of parents.slice(0, ROWS_PER_LIST)) {
    const own = home[parameter];
    const ids = own === undefined ? await listIds(collection, parameter, person, parent, home) : [own];
    chains.push(...ids.map((id) => ({ ...parent, [parameter]: id })));
  }
  const kept = chains.slice(0, CHAINS_PER_PATH);
  found.set(prefix, kept);
  found.set(path, kept);
  return kept;
}

async function listIds(collection: string, parameter: string, person: Person, parent: ResourceIds, home: ResourceIds) {
  const list = endpoints.find(({ method, path }) => method === "GET" && path === collection);
  if (!list) throw new Error(`No list gives :${parameter}: there is no GET ${collection}.`);
  const query = collection.startsWith("/api/") ? `?client_id=${home["organization_id"]}` : "";
  const { data } = expectOk(await person.get(fillPath(collection, parent) + query), `GET ${collection}`);
  return (data as { id: string }[]).map(({ id }) => id).slice(0, ROWS_PER_LIST);
}
