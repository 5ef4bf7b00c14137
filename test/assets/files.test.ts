import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { world, type Person } from "../support/world.ts";
import { formOf, MP4, pdfOf, PNG, zipOf } from "./files.ts";
import { fileScene, sha256, HTML } from "./files-cases.ts";

const REFUSED: [string, string, Buffer][] = [
  ["a program", "setup.txt", Buffer.from("MZ\x90\0\x03\0\0\0", "latin1")],
  ["a picture named as a document", "report.pdf", PNG],
  ["a document named as a picture", "photo.png", pdfOf(["Hi"])],
  ["a page named as a document", "report.docx", Buffer.from(HTML)],
  ["an archive that holds no document", "doc.docx", zipOf({ "a.txt": "a" })],
  ["a drawing that can hold scripts", "logo.svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["other XML", "feed.xml", Buffer.from('<?xml version="1.0"?><rss/>')],
  ["rich text", "a.txt", Buffer.from(String.raw`{\rtf1 hi}`)],
  ["a sound", "a.mp3", Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1")],
  ["text that turns out to be none", "long.txt", Buffer.from(`${"words ".repeat(2000)}\0\x01`)],
];

test("returns 415 with the accepted types for an unsupported or mislabelled file", async () => {
  // Attack: a file that passes for another kind and is opened as that by whoever reads it next.
  await using s = await fileScene();
  for (const [what, fileName, bytes] of REFUSED) {
    const answer = await s.add(bytes, fileName);
    expect([what, answer.status, answer.body.code]).toEqual([what, 415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect(answer.body.message).toContain("PDF, DOCX, images (PNG");
  }
  expect(await s.onDisk()).toEqual([]);
});

test("limits files by kind, and keeps nothing of a larger one", async () => {
  // Attack: filling the disk.
  await using s = await fileScene({ env: { ASSET_MAX_MB: "0.1", ASSET_VIDEO_MAX_MB: "0.3" } });
  const large = Buffer.alloc(200 * 1024, "word ");
  expect(await s.add(large, "a.txt")).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
  expect((await s.add(Buffer.concat([MP4, Buffer.alloc(200 * 1024)]), "a.mp4")).status).toBe(201);
  expect(await s.add(Buffer.concat([MP4, Buffer.alloc(400 * 1024)]), "b.mp4")).toMatchObject({ status: 413 });
  expect(await s.onDisk()).toHaveLength(1);
});

test("a file name cannot traverse paths: files are stored by hash", async () => {
  // Attack: path traversal by the name of a file.
  await using s = await fileScene();
  for (const [fileName, name] of [
    ["../../../etc/passwd", "passwd"],
    [String.raw`..\..\windows\system.txt`, "system.txt"],
    ["/etc/\u202Ecron.txt", "cron.txt"],
    ["..", "Untitled"],
  ] as const) {
    const answer = await s.add(Buffer.from(`text of ${fileName}`), fileName);
    expect([answer.status, answer.body.name === ".." ? "Untitled" : answer.body.name]).toEqual([201, name]);
  }
  expect((await s.onDisk()).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
});

test("rejects a file that another caller uploaded", async () => {
  // Attack: taking another organization's file by its hash.
  await using s = await fileScene();
  await s.add(Buffer.from("Our secret."), "secret.txt");
  const rival = await s.w.insertTenant("Rival");
  const mallory = await s.w.signIn("m@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const content = {
    sha256: sha256("Our secret."),
    size_bytes: 11,
    file_name: "x",
    type: "text",
    media_type: "text/plain",
  };
  const form = new FormData();
  form.append("content", JSON.stringify(content));
  for (const body of [{ name: "Mine", content }, form, new URLSearchParams({ content: JSON.stringify(content) })]) {
    expect(await mallory.post(`${rival.workspace.path}/assets`, body)).toMatchObject({
      status: 400,
      body: { fields: [{ path: "content" }] },
    });
  }
});

test("reads no byte of a stranger's, viewer's or full organization's upload", async () => {
  // Attack: filling the disk or the line without a right to.
  await using s = await fileScene();
  const viewer = await s.w.signIn("v@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const mallory = await s.w.signIn("m@rival.test");
  let sent = 0;
  const upload = async (token: string | undefined) => {
    const head = '--b\r\ncontent-disposition: form-data; name="content"; filename="a.txt"\r\n\r\n';
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await sleep(1);
        controller.enqueue(Buffer.from(sent === 0 ? head : "words ".repeat(10_000)));
        sent += 1;
      },
    });
    const response = await fetch(new URL(`${s.workspace.path}/assets`, s.w.config.baseUrl), {
      method: "POST",
      duplex: "half",
      body,
      headers: {
        "content-type": "multipart/form-data; boundary=b",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    return response.status;
  };
  expect(await upload(undefined)).toBe(401);
  expect(await upload(viewer.accessToken)).toBe(403);
  expect(await upload(mallory.accessToken)).toBe(404);
  await s.w.store.write(async (db) => void (await db.q.update(db.t.organizations).set({ quotas: { assets: 0 } })));
  expect(await upload(s.owner.accessToken)).toBe(409);
  expect(await s.onDisk()).toEqual([]);
});

test("limits concurrent uploads per account and in total, and rejects the next one before reading it", async () => {
  // Attack: one account uploads so slowly that no other can, or so often that sockets run out.
  await using s = await fileScene({ env: { UPLOADS_ACCOUNT: "2", UPLOADS: "3" } });
  const colleague = await s.w.signIn("c@acme.test", { organizationId: s.organization.id, role: "editor" });
  const third = await s.w.signIn("t@acme.test", { organizationId: s.organization.id, role: "editor" });
  const slow = [await sendSlowly(s, s.owner), await sendSlowly(s, s.owner)];
  const over = await s.add(PNG, "a.png");
  expect(over).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(over.headers.get("retry-after")).toBe("5");
  slow.push(await sendSlowly(s, colleague));
  const full = await s.add(PNG, "a.png", {}, third);
  expect(full).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(full.headers.get("retry-after")).toBe("5");
  for (const one of slow) await one.finish();
  expect(await Promise.all(slow.map(({ status }) => status))).toEqual([201, 201, 201]);
  expect((await s.add(PNG, "a.png")).status).toBe(201);
});

/**
 * Starts an upload that continues until finished; resolves when the service has begun to receive
 * it.
 */
async function sendSlowly(s: Awaited<ReturnType<typeof fileScene>>, by: Person) {
  const before = (await s.onDisk()).length;
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pipe.writable.getWriter();
  const head = '--b\r\ncontent-disposition: form-data; name="content"; filename="a.txt"\r\n\r\nwords';
  const response = fetch(new URL(`${s.workspace.path}/assets`, s.w.config.baseUrl), {
    method: "POST",
    duplex: "half",
    body: pipe.readable,
    headers: { "content-type": "multipart/form-data; boundary=b", authorization: `Bearer ${by.accessToken}` },
  });
  await writer.write(Buffer.from(head));
  while ((await s.onDisk()).length === before) await sleep(5);
  return {
    status: response.then(({ status }) => status),
    async finish() {
      await writer.write(Buffer.from("\r\n--b--\r\n"));
      await writer.close();
    },
  };
}

test("stores equal bytes once, until the last asset with them is archived", async () => {
  await using s = await fileScene({ now: () => "2026-11-21T08:00:00.000Z" });
  const [one, two] = [await s.add(PNG, "a.png"), await s.add(PNG, "b.png", { name: "Second" })];
  expect([one.body.sha256, two.body.name]).toEqual([two.body.sha256, "Second"]);
  expect(await s.onDisk()).toEqual([sha256(PNG)]);
  await s.owner.post(`${s.workspace.path}/assets/${one.body.id}/archive`);
  const later = await world({ dataDir: s.w.config.DATA_DIR, now: () => "2026-11-21T10:00:00.000Z" });
  await sleep(100);
  await later[Symbol.asyncDispose]();
  expect(await s.onDisk()).toEqual([sha256(PNG)]);
  await s.owner.post(`${s.workspace.path}/assets/${two.body.id}/archive`);
  const last = await world({ dataDir: s.w.config.DATA_DIR, now: () => "2026-11-21T12:00:00.000Z" });
  await sleep(100);
  await last[Symbol.asyncDispose]();
  expect(await s.onDisk()).toEqual([]);
});

test("leaves no file after a rejected request, a broken body or a crash", async () => {
  await using s = await fileScene();
  expect((await s.add(PNG, "a.png", { name: " " })).status).toBe(400);
  expect((await s.add(PNG, "a.png", { text: "and a text" })).status).toBe(400);
  expect((await s.add(PNG, "a.png", { colour: "red" })).status).toBe(400);
  expect((await s.add(Buffer.alloc(0), "a.txt")).status).toBe(400);
  const cut = '--b\r\ncontent-disposition: form-data; name="content"; filename="a.txt"\r\n\r\nwords';
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  expect(await s.owner.request("POST", `${s.workspace.path}/assets`, { body: cut, headers })).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED" },
  });
  await s.w.store.write(
    async (db) => void (await db.q.update(db.t.organizations).set({ quotas: { asset_bytes: 10 } })),
  );
  expect((await s.add(PNG, "a.png")).status).toBe(409);
  expect(await s.onDisk()).toEqual([]);
  // State after a crash: staged bytes, and a stored file without asset.
  const old = new Date(Date.now() - 7_200_000);
  const left = join(s.folder, "incoming", "left-behind");
  await writeFile(left, "half");
  await utimes(left, old, old);
  const another = await world({ dataDir: s.w.config.DATA_DIR });
  await sleep(100);
  await another[Symbol.asyncDispose]();
  expect(await s.onDisk()).toEqual([]);
});

test("an Idempotency-Key creates one asset for a repeated file, and rejects another file", async () => {
  await using s = await fileScene({ env: { UPLOADS_ACCOUNT: "0" } });
  const send = (bytes: Uint8Array) =>
    s.owner.post(`${s.workspace.path}/assets`, formOf(bytes, "a.txt"), { "idempotency-key": "k1" });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(Buffer.from("Once."))));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(await send(Buffer.from("Other."))).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_MISMATCH" } });
  expect(await s.onDisk()).toEqual([sha256("Once.")]);
  expect((await s.owner.get(`${s.workspace.path}/assets`)).body.data).toHaveLength(1);
});
