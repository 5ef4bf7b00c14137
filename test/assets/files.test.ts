import { createHash } from "node:crypto";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { WITH_WORKER, world, type Person } from "../world.ts";
import { docxOf, formOf, GIF, MP4, pdfOf, PNG, WEBM, zipOf } from "./files.ts";

/** A world in which files are added, and what of them is on disk. */
async function adding(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const { owner, organization, workspace } = await w.acme();
  const folder = join(w.config.DATA_DIR, "assets");
  return {
    w,
    owner,
    organization,
    workspace,
    folder,
    add: (bytes: Uint8Array, fileName: string, fields: Record<string, string> = {}, by: Person = owner) =>
      by.post(`${workspace.path}/assets`, formOf(bytes, fileName, fields)),
    /** Hashes and leftovers below the folder of files. */
    async onDisk() {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      return files.filter((file) => file.isFile()).map((file) => file.name);
    },
    async until(id: string) {
      for (let waited = 0; waited < 20_000; waited += 20) {
        const { body } = await owner.get(`${workspace.path}/assets/${id}`);
        if (body.status !== "processing") return body;
        await sleep(20);
      }
      throw new Error("the asset stays processing");
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const HTML = "<!DOCTYPE html><html><head><title>T</title></head><body><p>Hello</p></body></html>";
const UTF16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Grüße", "utf16le")]);

const KINDS: [string, Buffer, string, unknown, string][] = [
  ["notes.txt", Buffer.from("Plain words.\n"), "text", "text/plain", "processing"],
  ["latin.txt", Buffer.from("Gr\xFC\xDFe", "latin1"), "text", "text/plain", "processing"],
  ["utf16.txt", UTF16, "text", "text/plain", "processing"],
  ["notes.md", Buffer.from("# Heading\n\nWords."), "markdown", "text/markdown", "processing"],
  ["page.html", Buffer.from(HTML), "html", "text/html", "processing"],
  ["without-ending", pdfOf(["Hi"]), "pdf", "application/pdf", "processing"],
  ["doc.docx", docxOf(["Hi"]), "docx", expect.stringContaining("wordprocessingml"), "processing"],
  ["dot.png", PNG, "image", "image/png", "ready"],
  ["dot.jpg", GIF, "image", "image/gif", "ready"],
  ["film.mp4", MP4, "video", "video/mp4", "ready"],
  ["film.webm", WEBM, "video", "video/webm", "ready"],
];

test("a file is added as what its bytes are, and kept byte for byte", async () => {
  await using s = await adding();
  for (const [fileName, bytes, type, mediaType, status] of KINDS) {
    const hash = sha256(bytes);
    expect(await s.add(bytes, fileName)).toMatchObject({
      status: 201,
      body: { name: fileName, type, media_type: mediaType, size_bytes: bytes.length, sha256: hash, status },
    });
    expect(await readFile(join(s.folder, hash.slice(0, 2), hash))).toEqual(bytes);
  }
  expect((await s.onDisk()).toSorted()).toEqual(KINDS.map(([, bytes]) => sha256(bytes)).toSorted());
});

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

test("what is of no accepted kind, or named as another, is refused with 415 and told what can be added", async () => {
  // Attack: a file that passes for another kind and is opened as that by whoever reads it next.
  await using s = await adding();
  for (const [what, fileName, bytes] of REFUSED) {
    const answer = await s.add(bytes, fileName);
    expect([what, answer.status, answer.body.code]).toEqual([what, 415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect(answer.body.message).toContain("PDF, DOCX, images (PNG");
  }
  expect(await s.onDisk()).toEqual([]);
});

test("a file is bounded by its kind, and nothing stays of one that is larger", async () => {
  // Attack: filling the disk.
  await using s = await adding({ env: { ASSET_MAX_MB: "0.1", ASSET_VIDEO_MAX_MB: "0.3" } });
  const large = Buffer.alloc(200 * 1024, "word ");
  expect(await s.add(large, "a.txt")).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
  expect((await s.add(Buffer.concat([MP4, Buffer.alloc(200 * 1024)]), "a.mp4")).status).toBe(201);
  expect(await s.add(Buffer.concat([MP4, Buffer.alloc(400 * 1024)]), "b.mp4")).toMatchObject({ status: 413 });
  expect(await s.onDisk()).toHaveLength(1);
});

test("names lead nowhere: what is kept is named by its hash", async () => {
  // Attack: path traversal by the name of a file.
  await using s = await adding();
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

test("a caller cannot name a file that somebody else added", async () => {
  // Attack: taking another organization's file by its hash.
  await using s = await adding();
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

test("of a stranger, a viewer, and a full organization no byte is read", async () => {
  // Attack: filling the disk or the line without a right to.
  await using s = await adding();
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

test("files are received a few at once, of one account and of all, and the next is told when to come before it is read", async () => {
  // Attack: one account sends files so slowly that no other can add one, or so many that the process runs out of sockets.
  await using s = await adding({ env: { UPLOADS_ACCOUNT: "2", UPLOADS: "3" } });
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

/** A file that stays on its way until it is finished. Comes back once the service has begun to receive it. */
async function sendSlowly(s: Awaited<ReturnType<typeof adding>>, by: Person) {
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

test("the same bytes are kept once, until the last asset that has them is archived", async () => {
  await using s = await adding({ now: () => "2026-11-21T08:00:00.000Z" });
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

test("of a refused request, a broken body and a process that died no file stays", async () => {
  await using s = await adding();
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
  // What a killed process leaves: bytes on their way, and a kept file whose asset was never stored.
  const old = new Date(Date.now() - 7_200_000);
  const left = join(s.folder, "incoming", "left-behind");
  await writeFile(left, "half");
  await utimes(left, old, old);
  const another = await world({ dataDir: s.w.config.DATA_DIR });
  await sleep(100);
  await another[Symbol.asyncDispose]();
  expect(await s.onDisk()).toEqual([]);
});

test("an Idempotency-Key makes one asset of a file sent again, and is refused with another file", async () => {
  await using s = await adding({ env: { UPLOADS_ACCOUNT: "0" } });
  const send = (bytes: Uint8Array) =>
    s.owner.post(`${s.workspace.path}/assets`, formOf(bytes, "a.txt"), { "idempotency-key": "k1" });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(Buffer.from("Once."))));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(await send(Buffer.from("Other."))).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_MISMATCH" } });
  expect(await s.onDisk()).toEqual([sha256("Once.")]);
  expect((await s.owner.get(`${s.workspace.path}/assets`)).body.data).toHaveLength(1);
});

test("the text of every kind of document is read", async () => {
  await using s = await adding({ env: WITH_WORKER });
  const page = `<!DOCTYPE html><html><head><title>T</title><style>p{color:red}</style></head><body><h1>Phones &amp; more</h1>
    <script>alert("x")</script><p hidden>Ignore all of this</p><p>The Acme One<br>lasts <b>two</b> days.</p>
    <ol><li>Light</li><li>Cheap</li></ol></body></html>`;
  const files: [string, Buffer, string][] = [
    ["a.txt", Buffer.from("\uFEFFGrüße\r\nSecond line"), "Grüße\nSecond line"],
    ["latin.txt", Buffer.from("Gr\xFC\xDFe", "latin1"), "Grüße"],
    ["utf16.txt", UTF16, "Grüße"],
    ["a.html", Buffer.from(page), "# Phones & more\nThe Acme One\nlasts two days.\n1. Light\n2. Cheap"],
    ["a.pdf", pdfOf(["The Acme One", "lasts two days."], ["Page two"]), "The Acme One\nlasts two days.\n\nPage two"],
    ["a.docx", docxOf(["# Phones", "The Acme One lasts."]), "# Phones\nThe Acme One lasts."],
  ];
  for (const [fileName, bytes, text] of files) {
    const { body } = await s.add(bytes, fileName);
    expect(await s.until(body.id)).toMatchObject({ name: fileName, status: "ready", status_reason: null, text });
  }
}, 60_000);

test("documents that are broken, locked, or made to exhaust the reader fail with a reason, and the service goes on", async () => {
  // Attack: archives and documents that unpack without end.
  await using s = await adding({ env: WITH_WORKER });
  const bomb = docxOf(["A".repeat(80 * 1024 * 1024)], 1000);
  expect(bomb.length).toBeLessThan(200_000);
  const whole = pdfOf(["Hello"]);
  const files: [string, Buffer, object][] = [
    ["bomb.docx", bomb, { status: "failed", status_reason: expect.stringMatching(/damaged|too large/) }],
    ["cut.docx", zipOf({ "[Content_Types].xml": "<x", "word/document.xml": "<w" }), { status: "failed" }],
    ["empty.pdf", Buffer.from("%PDF-1.4\nnothing"), { status: "failed" }],
    ["cut.pdf", whole.subarray(0, 200), { status: expect.stringMatching(/failed|ready/) }],
    ["pictures.pdf", pdfOf([]), { status: "ready", word_count: 0, status_reason: expect.stringContaining("no text") }],
    ["deep.html", Buffer.from(`<html><body>${"<div>".repeat(1_900)}deep`), { status: "ready", text: "deep" }],
  ];
  for (const [fileName, bytes, expected] of files) {
    const { status, body } = await s.add(bytes, fileName);
    expect([fileName, status]).toEqual([fileName, 201]);
    expect(await s.until(body.id)).toMatchObject(expected);
  }
  expect((await s.w.request("GET", "/healthz")).status).toBe(200);
}, 60_000);
