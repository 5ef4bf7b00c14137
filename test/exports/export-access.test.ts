import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
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

test("tools name the page of exports, and no link", async () => {
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
