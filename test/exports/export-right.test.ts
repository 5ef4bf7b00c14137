import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collecting } from "../collecting/scene.ts";
import { CLIENTS } from "../tool-client.ts";
import { mintToolToken } from "../tool-token.ts";
import { WITHOUT_LIMITS, type Person } from "../world.ts";

// Who keeps the right to an export: auth/keys/export-right.ts, src/http/exported-files.ts, tools/exports.

let s: Awaited<ReturnType<typeof collecting>>;

let exportsPath: string;

beforeAll(async () => {
  s = await collecting({ env: { ...WITHOUT_LIMITS } });
  exportsPath = `${s.workspace.path}/exports`;
}, 60_000);

afterAll(async () => s[Symbol.asyncDispose]());

let people = 0;

function member(workspaceRole: "viewer" | "editor" = "viewer"): Promise<Person> {
  const of = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  return s.signIn(`person-${people++}@acme.test`, { ...of, role: "guest", workspaceRole });
}

async function exportedBy(person: Person): Promise<{ id: string; url: string }> {
  const asked = await person.post(exportsPath, { what: "catalog", format: "jsonl" }, { prefer: "respond-async" });
  expect(asked.status).toBe(202);
  for (let waited = 0; waited < 20_000; waited += 20) {
    const { body } = await s.owner.get(`${exportsPath}/${asked.body.id}`);
    if (body.status === "completed") return body;
    await sleep(20);
  }
  throw new Error("the export was not made in 20 s");
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

test("archiving the workspace ends the links of before; what is exported from the archive has a link", async () => {
  const { url } = await exportedBy(s.owner);
  expect((await s.owner.post(`${s.workspace.path}/archive`, {})).status).toBe(200);
  const refused = await fetch(url);
  expect([refused.status, await refused.json()]).toEqual([
    404,
    expect.objectContaining({
      code: "NOT_FOUND",
      message:
        "This link is wrong or has ended. Export again: links work for 24 hours, while their maker may read the workspace.",
    }),
  ]);
  await sleep(5);
  const later = await exportedBy(s.owner);
  expect(await statusOf(later.url)).toBe(200);
  expect((await s.owner.post(`${s.workspace.path}/restore`, {})).status).toBe(200);
});

test("the maker and editors delete an export, another viewer is denied", async () => {
  // Attack: a viewer who deletes what all others have exported.
  const [maker, viewer, editor] = [await member(), await member(), await member("editor")];
  const made = [await exportedBy(maker), await exportedBy(maker), await exportedBy(maker)];
  const paths = made.map(({ id }) => `${exportsPath}/${id}`);
  expect(await viewer.delete(paths[0] ?? "")).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  expect(await statusOf(made[0]?.url ?? "")).toBe(200);
  const deleted = [];
  for (const [at, person] of [maker, editor, s.owner].entries()) deleted.push(await person.delete(paths[at] ?? ""));
  expect(deleted.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await viewer.delete(paths[0] ?? "")).toMatchObject({ status: 404 });
});

test("tools name the page of exports, and no link", async () => {
  // Attack: a link that needs no sign-in, read from the transcript of a chat.
  const { id, url } = await exportedBy(s.owner);
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

test("downloads of one link within an hour are one row of the audit log, which counts them", async () => {
  // Attack: filling the audit log of an organization by fetching one link on and on.
  const [{ id, url }, other] = [await exportedBy(s.owner), await exportedBy(s.owner)];
  for (let times = 0; times < 12; times++) await statusOf(url);
  await statusOf(other.url);
  const { data } = (await s.owner.get(`${s.organization.path}/audit-log?endpoint=downloadExport&limit=100`)).body;
  const counts = (of: string) =>
    data.filter(({ text }: { text: string }) => text.includes(of)).map(({ count }: { count: number }) => count);
  const [ofLink, ofOther] = [counts(id), counts(other.id)];
  // Two rows where the hour ended in between.
  expect(ofLink.reduce((sum: number, count: number) => sum + count, 0)).toBe(12);
  expect([ofLink.length <= 2, ofOther]).toEqual([true, [1]]);
});
