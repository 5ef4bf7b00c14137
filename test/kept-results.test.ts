import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openKeptResults, type KeptResults, type MadeOf } from "../src/call/kept-results.ts";
import { JsonBytes } from "../src/reads/json-bytes.ts";
import type { Trace } from "../db/engine/store.ts";
import { openStore } from "../db/engine/open-store.ts";
import { keyScene, namesOf } from "./api-key-scene.ts";
import { CLIENTS } from "./tool-client.ts";
import { mintToolToken } from "./tool-token.ts";
import { world } from "./world.ts";

const json = (text: string) => new JsonBytes([Buffer.from(text)]);
const keyOf = (name: string, caller = "ada") => ({ shared: name, own: `${name} ${caller}` });
const ofTables = (tables: string[], version: number, isOfCaller = false): MadeOf => ({ tables, version, isOfCaller });

/** A snapshot on which tables have these versions. */
function snapshot(versions: Record<string, number>): Trace {
  return {
    begin: () => undefined,
    tables: () => [],
    versionOf: (tables) => tables.reduce((sum, name) => sum + (versions[name] ?? 0), 0),
  };
}

test("a result is kept until a table that it was read from is written to", () => {
  const results = openKeptResults(1000);
  results.keep(keyOf("brands"), ofTables(["brands", "workspaces"], 5), json('{"data":[]}'));
  const found = (versions: Record<string, number>) => results.find(keyOf("brands"), snapshot(versions))?.text();
  expect(found({ brands: 2, workspaces: 3, tags: 9 })).toBe('{"data":[]}');
  expect(found({ brands: 2, workspaces: 4 })).toBeUndefined();
  // What has changed once does not come back.
  expect(found({ brands: 2, workspaces: 3 })).toBeUndefined();
});

test("what a read made for its caller is given to no other, and what it made for all who may ask is", () => {
  const results = openKeptResults(1000);
  results.keep(keyOf("favourites", "ada"), ofTables([], 0, true), json("1"));
  results.keep(keyOf("brands", "ada"), ofTables([], 0), json("2"));
  const found = (name: string, caller: string) => results.find(keyOf(name, caller), snapshot({}))?.text();
  expect([found("favourites", "ada"), found("favourites", "grace")]).toEqual(["1", undefined]);
  expect([found("brands", "ada"), found("brands", "grace")]).toEqual(["2", "2"]);
});

test("as many bytes are kept as may be, those used last, and none of a large result", () => {
  const results = openKeptResults(3 * (2 * 1 + 10));
  const keep = (name: string, bytes: number) => results.keep(keyOf(name), ofTables([], 0), json("x".repeat(bytes)));
  const kept = () => ["a", "b", "c", "d", "e"].filter((name) => results.find(keyOf(name), snapshot({})));
  for (const name of ["a", "b", "c"]) keep(name, 10);
  expect(kept()).toEqual(["a", "b", "c"]);
  results.find(keyOf("a"), snapshot({}));
  keep("d", 10);
  expect(kept()).toEqual(["a", "c", "d"]);
  keep("e", 300 * 1024);
  expect(kept()).toEqual(["a", "c", "d"]);
});

async function newFolder() {
  const path = await mkdtemp(join(tmpdir(), "visibility-kept-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Which of the reads that come next are answered with what was kept. */
function watched(deps: { keptResults: KeptResults }): boolean[] {
  const asked: boolean[] = [];
  const own = deps.keptResults;
  deps.keptResults = {
    keep: (...kept) => own.keep(...kept),
    find(key, trace) {
      const found = own.find(key, trace);
      asked.push(found !== undefined);
      return found;
    },
  };
  return asked;
}

test("a repeated read is not read again until something that it shows changes, by whatever process", async () => {
  await using folder = await newFolder();
  await using w = await world({ dataDir: folder.path });
  const { owner, workspace } = await w.acme();
  const asked = watched(w.deps);
  const brands = async () => (await owner.get(`${workspace.path}/brands`)).body;
  const none = { data: [], next_cursor: null, total_count: 0 };
  expect([await brands(), await brands()]).toEqual([none, none]);
  expect(asked).toEqual([false, true]);
  const { body: made } = await owner.post(`${workspace.path}/brands`, { name: "Kestrova" });
  const { hints: _, ...brand } = made;
  expect((await brands()).data).toEqual([brand]);
  expect((await brands()).data).toEqual([brand]);
  expect(asked).toEqual([false, true, false, true]);
  const other = await openStore(folder.path, { create: false });
  await other.write(({ q, t }) =>
    q
      .update(t.brands)
      .set({ name: "Kestrova Home" })
      .then(() => undefined),
  );
  await other.close();
  expect((await brands()).data).toEqual([{ ...brand, name: "Kestrova Home" }]);
  // What nothing of it was read from changes nothing.
  await owner.post(`${workspace.path}/tags`, { name: "quiet" });
  await brands();
  expect(asked).toEqual([false, true, false, true, false, true]);
});

test("a person who may no longer see something is not given what was kept of it, and another one's is their own", async () => {
  // Attack: reading what was kept for others.
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  const stranger = await w.signIn("mallory@rival.test");
  const asked = watched(w.deps);
  const path = `${workspace.path}/brands`;
  expect((await owner.get(path)).status).toBe(200);
  expect((await viewer.get(path)).status).toBe(200);
  expect(asked).toEqual([false, true]);
  expect((await stranger.get(path)).status).toBe(404);
  const names = async (person: typeof owner) =>
    (await person.get("/v1/workspaces")).body.data.map(({ name }: { name: string }) => name);
  expect([await names(owner), await names(stranger), await names(viewer)]).toEqual([
    [workspace.name],
    [],
    [workspace.name],
  ]);
  await owner.delete(`${organization.path}/members/${viewer.id}`);
  expect((await viewer.get(path)).status).toBe(404);
});

test("what is also of the moment is read each time", async () => {
  await using s = await keyScene();
  await s.make(s.owner, { name: "short", kind: "user", expires_at: "2026-11-21T09:10:00.000Z" });
  const expired = async () => namesOf(await s.owner.get("/v1/api-keys?status=expired"));
  expect(await expired()).toEqual([]);
  s.clock.at = "2026-11-21T09:05:00.000Z";
  expect(await expired()).toEqual([]);
  s.clock.at = "2026-11-21T09:10:00.000Z";
  expect(await expired()).toEqual(["short"]);
});

test("a tool gives the same from what was kept, in both revisions of the protocol", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  await owner.post(`${workspace.path}/brands`, { name: "Kestrova – “quiet”" });
  const { token } = await mintToolToken(w, owner);
  const asked = watched(w.deps);
  for (const open of Object.values(CLIENTS)) {
    await using client = await open(w.config.mcpUrl, { token });
    const call = () => client.call("list_brands", { organization_id: organization.id, workspace_id: workspace.id });
    const first = await call();
    expect(await call()).toEqual(first);
  }
  expect(asked.filter(Boolean).length).toBe(asked.length - 1);
});
