import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WITH_WORKER } from "../support/world.ts";
import { docxOf, GIF, MP4, pdfOf, PNG, WEBM, zipOf } from "./files.ts";
import { fileScene, sha256, HTML } from "./files-cases.ts";

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

test("stores a file with the type of its bytes, byte for byte", async () => {
  await using s = await fileScene();
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

test("extracts the text of each kind of document", async () => {
  await using s = await fileScene({ env: WITH_WORKER });
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

test("broken, locked and exhausting documents fail with a reason, and the service continues", async () => {
  // Attack: archives and documents that unpack without end.
  await using s = await fileScene({ env: WITH_WORKER });
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
