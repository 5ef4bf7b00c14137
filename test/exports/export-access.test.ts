import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENTS, oldClient } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { exportScene, statusOf } from "./export-right-cases.ts";

let s: Awaited<ReturnType<typeof exportScene>>;

beforeAll(async () => {
  s = await exportScene();
}, 60_000);

afterAll(() => s[Symbol.asyncDispose]());

test("archiving the workspace invalidates earlier links; exports of the archive have links", async () => {
  const { url } = await s.exportedBy(s.owner);
  expect((await s.owner.post(`${s.workspace.path}/archive`, {})).status).toBe(200);
  const refused = await fetch(url);
  expect([refused.status, await refused.json()]).toEqual([
    404,
    expect.objectContaining({
      code: "NOT_FOUND",
      message:
        "This link is invalid or has expired. Export again: a link works for 24 hours, while its creator can read the workspace.",
    }),
  ]);
  await sleep(5);
  const later = await s.exportedBy(s.owner);
  expect(await statusOf(later.url)).toBe(200);
  expect((await s.owner.post(`${s.workspace.path}/restore`, {})).status).toBe(200);
});

test("the maker and editors delete an export, another viewer is denied", async () => {
  // Attack: a viewer deletes exports of others.
  const [maker, viewer, editor] = [await s.member(), await s.member(), await s.member("editor")];
  const made = [await s.exportedBy(maker), await s.exportedBy(maker), await s.exportedBy(maker)];
  const paths = made.map(({ id }) => `${s.exportsPath}/${id}`);
  expect(await viewer.delete(paths[0] ?? "")).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  expect(await statusOf(made[0]?.url ?? "")).toBe(200);
  const deleted = [];
  for (const [at, person] of [maker, editor, s.owner].entries()) deleted.push(await person.delete(paths[at] ?? ""));
  expect(deleted.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await viewer.delete(paths[0] ?? "")).toMatchObject({ status: 404 });
});

test("tools name the page of exports, and no link that works without signing in", async () => {
  // Attack: a link that needs no sign-in, read from the transcript of a chat.
  const { id, url } = await s.exportedBy(s.owner);
  expect(url).toContain("/files/");
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const place = { organization: s.organization.id, workspace: s.workspace.id };
  const told = [
    await client?.call("list_exports", place),
    await client?.call("get_export", { ...place, export_id: id }),
  ];
  for (const one of told) {
    expect(JSON.stringify(one)).toContain(`/exports/${s.organization.id}/${s.workspace.id}`);
    expect(JSON.stringify(one)).not.toMatch(/signature|\/files\//);
  }
});

test("tool results link to files, which their readers alone can read, in every client", async () => {
  // Attack: reading the file of a workspace at an address that somebody else was given.
  const { id } = await s.exportedBy(s.owner);
  const { body: row } = await s.owner.get(`${s.exportsPath}/${id}`);
  const file = await (await fetch(row.url)).text();
  const uri = `visibility:/${s.exportsPath.slice("/v1".length)}/${id}`;
  const mimeType = "application/x-ndjson; charset=utf-8";
  const link = {
    type: "resource_link",
    uri,
    name: expect.stringMatching(/^catalog.*\.jsonl$/),
    title: "An exported file",
    mimeType,
    size: row.size_bytes,
  };
  const place = { organization: s.organization.id, workspace: s.workspace.id };
  const tokenOf = async (person: { id: string }) => (await mintToolToken(s, person)).token;
  const [viewer, outsider] = [await s.member(), await s.signIn("outsider@rival.test")];
  const [viewerToken, outsiderToken] = [await tokenOf(viewer), await tokenOf(outsider)];
  for (const connect of Object.values(CLIENTS)) {
    await using client = await connect(s.config.mcpUrl, { token: viewerToken });
    expect((await client.call("get_export", { ...place, export: id })).links).toEqual([link]);
    expect((await client.call("list_exports", { ...place, limit: 1 })).links).toEqual([link]);
    expect((await client.sdk.readResource({ uri })).contents).toEqual([{ uri, mimeType, text: file }]);
    await using stranger = await connect(s.config.mcpUrl, { token: outsiderToken });
    await expect(stranger.sdk.readResource({ uri })).rejects.toThrow(`Resource not found: ${uri}`);
  }
});

test("a file over 1 MB is left to the console, a missing one is not found, and Parquet is sent as bytes", async () => {
  const asked = await s.owner.post(s.exportsPath, { what: "catalog", format: "parquet" }, { prefer: "respond-async" });
  const path = `${s.exportsPath}/${asked.body.id}`;
  const uri = `visibility:/${path.slice("/v1".length)}`;
  await expect.poll(async () => (await s.owner.get(path)).body.status, { timeout: 20_000 }).toBe("completed");
  const { token } = await mintToolToken(s, s.owner);
  await using client = await oldClient(s.config.mcpUrl, { token });
  const bytes = Buffer.from(await (await fetch((await s.owner.get(path)).body.url)).arrayBuffer());
  expect((await client.sdk.readResource({ uri })).contents).toEqual([
    { uri, mimeType: "application/vnd.apache.parquet", blob: bytes.toString("base64") },
  ]);
  const change = (set: object) =>
    s.store.write(async ({ q, t }) => void (await q.update(t.exports).set(set).where(eq(t.exports.id, asked.body.id))));
  await change({ sizeBytes: 1_000_001 });
  await expect(client.sdk.readResource({ uri })).rejects.toThrow("A person downloads it on the page of exports.");
  await change({ hasFile: false, status: "failed" });
  await expect(client.sdk.readResource({ uri })).rejects.toThrow(`Resource not found: ${uri}`);
  const failed = await client.call("get_export", {
    organization: s.organization.id,
    workspace: s.workspace.id,
    export: asked.body.id,
  });
  expect(failed.links).toEqual([]);
});

test("a list without exports says where a person makes one", async () => {
  const { token } = await mintToolToken(s, s.owner);
  const { body: empty } = await s.owner.post(`${s.organization.path}/workspaces`, { name: "Empty" });
  await using client = await oldClient(s.config.mcpUrl, { token });
  const { structured } = await client.call("list_exports", { organization: s.organization.id, workspace: empty.id });
  expect(structured.notes).toContain(
    `No file was exported in the last 24 hours. A person exports rows on the page ${s.config.baseUrl}/exports/${s.organization.id}/${empty.id}.`,
  );
});

test("downloads by one link within an hour are one audit row with a count", async () => {
  // Attack: filling an organization's audit log by fetching one link repeatedly.
  const [{ id, url }, other] = [await s.exportedBy(s.owner), await s.exportedBy(s.owner)];
  for (let times = 0; times < 12; times++) await statusOf(url);
  await statusOf(other.url);
  const { data } = (await s.owner.get(`${s.organization.path}/audit-log?endpoint=downloadExport&limit=100`)).body;
  const counts = (of: string) =>
    data.filter(({ text }: { text: string }) => text.includes(of)).map(({ count }: { count: number }) => count);
  const [ofLink, ofOther] = [counts(id), counts(other.id)];
  // Two rows if the hour ended in between.
  expect(ofLink.reduce((sum: number, count: number) => sum + count, 0)).toBe(12);
  expect([ofLink.length <= 2, ofOther]).toEqual([true, [1]]);
});
