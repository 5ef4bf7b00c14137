import { expect, test } from "vitest";
import { EXTRACTION_LIMITS, extractText, type ExtractionLimits } from "../../src/assets/extract.ts";
import { readDocument } from "../../src/assets/read-document.ts";
import { chooseExtent } from "../support/proof.ts";
import { docxOf, docxParts, zipOf } from "./files.ts";
import { HOSTILE_DOCUMENTS, type HostileDocument } from "./hostile-documents.ts";

function extract({ type, make }: Pick<HostileDocument, "type" | "make">, limits: Partial<ExtractionLimits> = {}) {
  const document = { type, bytes: make() };
  return extractText(document, { ...EXTRACTION_LIMITS, ...limits }, new AbortController().signal);
}

function hostile(name: string): HostileDocument {
  const found = HOSTILE_DOCUMENTS[name];
  if (!found) throw new Error("no such document");
  return found;
}

const SMALL = new Set(["docx: references to millions of characters", "docx: entries that overlap"]);

test("no hostile document occupies its parser beyond the limit, nor stops the service", async () => {
  // Attack: archives, entities and pages that inflate without end; one stopped the whole process.
  for (const [name, document] of Object.entries(HOSTILE_DOCUMENTS)) {
    if (!chooseExtent(true, SMALL.has(name))) continue;
    const read = await extract(document);
    const ends = name.startsWith("docx: a main part") ? /^unreadable$/ : /^(?:text|unreadable|exhausted)$/;
    expect([name, read.kind]).toEqual([name, expect.stringMatching(ends)]);
  }
}, 1_200_000);

test("a document that takes longer or more memory than it may is given up, whatever it is doing", async () => {
  // Attack: a page that occupies the parser for minutes, and one that fills the memory.
  const busy = hostile("pdf: a page whose states are never restored");
  expect(await extract(busy, { baseMs: 600, perMegabyteMs: 0 })).toEqual({
    kind: "exhausted",
    reason: "Reading the file takes too long.",
  });
  expect(await extract(busy, { memoryBytes: 1024 })).toEqual({
    kind: "exhausted",
    reason: "Reading the file takes too much memory.",
  });
});

test("rejects a DOCX whose main part is misnamed or missing", async () => {
  // Attack: the guard counted parts by their names, and the library read the part that the
  // relationships name.
  const parts = docxParts(["Hi"]);
  const elsewhere = { ...parts, "_rels/.rels": parts["_rels/.rels"].replace("document.xml", "document.bin") };
  const secret = docxParts(["Not counted"])["word/document.xml"];
  for (const entries of [elsewhere, { ...elsewhere, "word/document.bin": secret }]) {
    await expect(readDocument("docx", zipOf(entries))).rejects.toThrow("main part");
  }
  expect(await readDocument("docx", docxOf(["# Phones", "The Acme One."]))).toMatchObject({
    text: "# Phones\nThe Acme One.",
  });
});

function createDocx(content: string): Buffer {
  return zipOf({ ...docxParts(["Hi"]), "word/document.xml": `<w:document><w:body>${content}</w:body></w:document>` });
}

test("rejects a DOCX with one part in several roles, which would be parsed repeatedly", async () => {
  // Attack: the main part is the styles, the numbering and all notes too, and is built six times.
  const read = readDocument("docx", hostile("docx: one part that is every part").make());
  await expect(read).rejects.toThrow("several parts at once");
});

test("every inflated byte, tag, attribute and entity of a DOCX counts, and so do open elements", async () => {
  // Attack: a small archive that becomes gigabytes of objects.
  const many = {
    bytes: "x".repeat(33 * 1024 * 1024),
    elements: "<w:p/>".repeat(1_000_001),
    attributes: `<w:p ${"a='' ".repeat(1_000_001)}/>`,
    entities: "&amp;".repeat(1_000_001),
    "open elements": "<w:p>".repeat(1001),
  };
  for (const [what, content] of Object.entries(many)) {
    const error = await readDocument("docx", createDocx(content)).catch((thrown: Error) => thrown.name);
    expect([what, error]).toEqual([what, "TooMuch"]);
  }
  await expect(readDocument("html", Buffer.from("<div>".repeat(2001)))).rejects.toMatchObject({ name: "TooMuch" });
});
