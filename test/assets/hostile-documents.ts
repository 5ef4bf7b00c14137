import { deflateRawSync, deflateSync } from "node:zlib";
import type { AssetType } from "../../core/assets/assets.ts";
import { docxParts, zipOf, zipOfParts, type ZipPart } from "./files.ts";

/** A document made to exhaust or confuse its parser. */
export interface HostileDocument {
  type: AssetType;
  fileName: string;
  mediaType: string;
  make: () => Buffer;
}

const MB = 1024 * 1024;
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Hostile documents by effect, at most a few megabytes each, created on demand. */
export const HOSTILE_DOCUMENTS: Readonly<Record<string, HostileDocument>> = {
  ...docx({
    "a main part that is not named XML and inflates without end": () => renamed(bodyOf("A".repeat(400 * MB))),
    "a main part that is not named XML with millions of elements": () => renamed(bodyOf("<w:p/>".repeat(20 * MB))),
    "a main part of millions of elements": () => docxWithMainPart(bodyOf("<w:p/>".repeat(10 * MB))),
    "a main part of millions of open elements": () => docxWithMainPart(bodyOf("<w:p>".repeat(10 * MB))),
    "a main part of elements nested deeply": () => docxWithMainPart(bodyOf(nested("w:smartTag", 400_000))),
    "elements nested deeply, each with a namespace of its own": () => docxWithMainPart(bodyOf(namespaces(60_000))),
    "an element with millions of attributes": () => docxWithMainPart(bodyOf(`<w:p ${attributes(2_000_000)}/>`)),
    "an attribute of sixty megabytes": () => docxWithMainPart(bodyOf(`<w:p a="${"x".repeat(60 * MB)}"/>`)),
    "a text of sixty megabytes": () =>
      docxWithMainPart(bodyOf(`<w:p><w:r><w:t>${"x".repeat(60 * MB)}</w:t></w:r></w:p>`)),
    "a name of sixty megabytes": () => docxWithMainPart(bodyOf(`<${"x".repeat(60 * MB)}/>`)),
    "tags that are never finished": () => docxWithMainPart(bodyOf('<w:p a="'.repeat(4 * MB))),
    "comments that are never finished": () => docxWithMainPart(bodyOf("<!--".repeat(8 * MB))),
    "entities that grow": () => docxWithMainPart(entities() + bodyOf("<w:p><w:r><w:t>&z;</w:t></w:r></w:p>")),
    "references to millions of characters": () =>
      docxWithMainPart(bodyOf(`<w:p><w:r><w:t>${"&#x41;".repeat(8 * MB)}</w:t></w:r></w:p>`)),
    "one part that is every part": () => docxWithSameParts(bodyOf("<w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(70_000))),
    "tables within tables": () => docxWithMainPart(bodyOf(nested("w:tbl><w:tr><w:tc", 50_000))),
    "styles without end": () =>
      zipOf({
        ...docxParts(["Hi"]),
        "word/styles.xml": `<w:styles xmlns:w="${WORD}">${'<w:style w:styleId="a"/>'.repeat(2 * MB)}</w:styles>`,
      }),
    "relationships without end": () =>
      zipOf({
        ...docxParts(["Hi"]),
        "_rels/.rels": `<Relationships>${'<Relationship Type="a" Target="b"/>'.repeat(MB)}</Relationships>`,
      }),
    "sizes that lie": () => zipOf({ ...docxParts(["A".repeat(300 * MB)]) }, 1000),
    "sizes that say gigabytes": () => zipOf({ ...docxParts(["Hi"]) }, 0xffff_fff0),
    "entries that overlap": () => zipWithSharedBytes(2000, Buffer.alloc(20 * MB, "<w:p/>")),
    "entries that overlap, each of an honest size": () =>
      zipWithSharedBytes(2000, Buffer.alloc(20 * MB, "<w:p/>"), 20 * MB),
    "sixty thousand entries": () => manyEntries(60_000),
    "an archive in an archive": () =>
      zipOf({ ...docxParts(["Hi"]), "word/embeddings/a.docx": docxWithMainPart(bodyOf("A".repeat(200 * MB))) }),
    "a part that is compressed twice": () =>
      docxWithMainPart(deflateRawSync(Buffer.from(bodyOf("A".repeat(200 * MB))))),
    "one name for many parts": () => repeated(2000),
    "bytes that are no XML": () => docxWithMainPart(Buffer.alloc(2 * MB, 0xff)),
  }),
  ...pdf({
    "a stream that is compressed many times": () =>
      pdfWith(["/FlateDecode /FlateDecode /FlateDecode", deflated(300 * MB, 3)]),
    "a stream that inflates without end": () => pdfWith(["/FlateDecode", deflated(1000 * MB, 1)]),
    "a page of millions of operators": () => pdfWith(["/FlateDecode", deflateSync("BT (x) Tj ET\n".repeat(4_000_000))]),
    "a page whose states are never restored": () => pdfWith(["/FlateDecode", deflateSync("q ".repeat(20_000_000))]),
    "arrays nested deeply": () => pdfWith(["/FlateDecode", deflateSync("[".repeat(20_000_000))]),
    "objects nested deeply": () =>
      pdfOfObjects([`<< /Type /Catalog /Pages 2 0 R /A ${"[".repeat(2_000_000)} >>`, PAGES]),
    "dictionaries nested deeply": () =>
      pdfOfObjects([`<< /Type /Catalog /Pages 2 0 R /A ${"<</A".repeat(500_000)} >>`, PAGES]),
    "a million pages that are not there": () =>
      pdfOfObjects(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 1000000000 >>"]),
    "a tree of pages that is its own branch": () =>
      pdfOfObjects([
        "<< /Type /Catalog /Pages 2 0 R >>",
        `<< /Type /Pages /Kids [${"2 0 R ".repeat(1000)}] /Count 1000000 >>`,
      ]),
    "one page a million times": () =>
      pdfOfObjects([
        "<< /Type /Catalog /Pages 2 0 R >>",
        `<< /Type /Pages /Kids [${"3 0 R ".repeat(300_000)}] /Count 300000 >>`,
        PAGE,
      ]),
    "a tree of pages as deep as a list": () => pdfOfObjects(deepPages(20_000)),
    "a form that draws itself": () =>
      pdfOfObjects([
        "<< /Type /Catalog /Pages 2 0 R >>",
        PAGES,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /F 4 0 R >> >> /Contents 5 0 R >>",
        streamOf(
          "/F Do ".repeat(50),
          "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 4 0 R >> >>",
        ),
        streamOf("/F Do ".repeat(50)),
      ]),
    "forms that double": () => pdfOfObjects(doublingForms(24)),
    "a table of objects that says it is huge": () =>
      Buffer.from(
        "%PDF-1.4\nxref\n0 4000000000\n0000000000 65535 f \ntrailer << /Size 4000000000 /Root 1 0 R >>\nstartxref\n9\n%%EOF",
      ),
    "a table of objects that points at itself": () =>
      Buffer.from(
        "%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer << /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF",
      ),
    "a million objects": () => Buffer.from(`%PDF-1.4\n${"1 0 obj<<>>endobj ".repeat(200_000)}`),
  }),
  ...html({
    "millions of open tags": () => "<div>".repeat(600_000),
    "millions of open tags of one list": () => "<ol><li>".repeat(400_000),
    "millions of paragraphs": () => "<p>x".repeat(700_000),
    "millions of headings": () => "<h1>".repeat(700_000),
    "millions of open tags and of ends of another": () => "<b>".repeat(300_000) + "</i>".repeat(500_000),
    "millions of open tags closed from within": () => "<div><span>".repeat(100_000) + "</div>".repeat(100_000),
    "an attribute of megabytes": () => `<p title="${"x".repeat(3 * MB)}">x`,
    "millions of attributes": () => `<p ${attributes(400_000)}>x`,
    "millions of attributes of one name": () => `<p ${"a=b ".repeat(700_000)}>x`,
    "a tag that is never finished": () => `<p ${"<".repeat(3 * MB)}`,
    "comments that are never finished": () => "<!--".repeat(700_000),
    "millions of entities": () => "&amp;&CounterClockwiseContourIntegral;&#0;".repeat(80_000),
    "a text of spaces": () => `<p>x${" \n".repeat(1_500_000)}x`,
    "a script that is never finished": () => `<script>${"</scrip".repeat(400_000)}`,
    "hidden elements without end": () => "<p hidden>".repeat(300_000),
  }),
};

function docx(made: Record<string, () => Buffer>): Record<string, HostileDocument> {
  const mediaType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  return named(made, { type: "docx", fileName: "a.docx", mediaType });
}

function pdf(made: Record<string, () => Buffer>): Record<string, HostileDocument> {
  return named(made, { type: "pdf", fileName: "a.pdf", mediaType: "application/pdf" });
}

function html(made: Record<string, () => string>): Record<string, HostileDocument> {
  const pages = Object.entries(made).map(([name, body]) => [
    name,
    () => Buffer.from(`<!DOCTYPE html><html><body>${body()}`),
  ]);
  return named(Object.fromEntries(pages), { type: "html", fileName: "a.html", mediaType: "text/html" });
}

function named(made: Record<string, () => Buffer>, of: Omit<HostileDocument, "make">): Record<string, HostileDocument> {
  return Object.fromEntries(Object.entries(made).map(([name, make]) => [`${of.type}: ${name}`, { ...of, make }]));
}

function bodyOf(content: string): string {
  return `<w:document xmlns:w="${WORD}"><w:body>${content}</w:body></w:document>`;
}

/** A DOCX with this main part. */
function docxWithMainPart(main: string | Buffer): Buffer {
  return zipOf({ ...docxParts(["Hi"]), "word/document.xml": main });
}

/**
 * A DOCX whose relationships name a main part with another extension, next to a harmless usual one.
 */
function renamed(main: string): Buffer {
  const parts = docxParts(["Hi"]);
  const relationships = parts["_rels/.rels"].replace("word/document.xml", "word/document.bin");
  return zipOf({ ...parts, "_rels/.rels": relationships, "word/document.bin": main });
}

/** A DOCX whose main part is also its styles, numbering and notes. */
function docxWithSameParts(main: string): Buffer {
  const of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const kinds = ["styles", "numbering", "footnotes", "endnotes", "comments"];
  const links = kinds.map((kind) => `<Relationship Id="${kind}" Type="${of}/${kind}" Target="document.xml"/>`);
  const relationships = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join("")}</Relationships>`;
  return zipOf({ ...docxParts(["Hi"]), "word/_rels/document.xml.rels": relationships, "word/document.xml": main });
}

function nested(tags: string, depth: number): string {
  const ends = tags.split("><").toReversed().join("></");
  return `<${tags}>`.repeat(depth) + `</${ends}>`.repeat(depth);
}

function namespaces(depth: number): string {
  const tags = Array.from({ length: depth }, (_, at) => `<w:p xmlns:n${at}="urn:${at}">`);
  return tags.join("") + "</w:p>".repeat(depth);
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}=""`).join(" ");
}

function entities(): string {
  const lines = Array.from({ length: 25 }, (_, at) => {
    const [name, inner] = [String.fromCodePoint(98 + at), String.fromCodePoint(97 + at)];
    return `<!ENTITY ${name} "${`&${inner};`.repeat(10)}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">${lines.join("")}]>`;
}

/** Many names for the same compressed bytes. */
function zipWithSharedBytes(count: number, content: Buffer, size = 100): Buffer {
  const data = deflateRawSync(content);
  const parts: ZipPart[] = Object.entries(docxParts(["Hi"])).map(([name, raw]) => partOf(name, Buffer.from(raw)));
  for (let at = 0; at < count; at++) parts.push({ name: `word/part${at}.xml`, data, size, sharesData: at > 0 });
  return zipOfParts(parts);
}

function partOf(name: string, raw: Buffer): ZipPart {
  return { name, data: deflateRawSync(raw), size: raw.length };
}

function manyEntries(count: number): Buffer {
  const parts = Object.entries(docxParts(["Hi"])).map(([name, raw]) => partOf(name, Buffer.from(raw)));
  const empty = deflateRawSync(Buffer.alloc(0));
  for (let at = 0; at < count; at++) parts.push({ name: `word/${at}.xml`, data: empty, size: 0 });
  return zipOfParts(parts);
}

function repeated(count: number): Buffer {
  const parts = Object.entries(docxParts(["Hi"])).map(([name, raw]) => partOf(name, Buffer.from(raw)));
  const part = partOf("word/document.xml", Buffer.from(bodyOf("<w:p/>".repeat(100_000))));
  return zipOfParts([...parts, ...Array.from({ length: count }, () => part)]);
}

function deflated(size: number, times: number): Buffer {
  let bytes = deflateSync(Buffer.alloc(size, " "));
  for (let at = 1; at < times; at++) bytes = deflateSync(bytes);
  return bytes;
}

const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> >>";

function pdfWith([filters, stream]: [string, Buffer]): Buffer {
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> /Contents 4 0 R >>";
  return pdfOfObjects(["<< /Type /Catalog /Pages 2 0 R >>", PAGES, page, streamOf(stream, `/Filter [${filters}]`)]);
}

function streamOf(content: string | Buffer, entries = ""): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

function deepPages(depth: number): string[] {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>"];
  for (let at = 2; at < depth; at++) objects.push(`<< /Type /Pages /Kids [${at + 1} 0 R] /Count 1 >>`);
  return [...objects, `<< /Type /Page /Parent ${depth - 1} 0 R /MediaBox [0 0 9 9] >>`];
}

function doublingForms(depth: number): (string | Buffer)[] {
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    PAGES,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >> /Contents 4 0 R >>",
    streamOf("/F Do"),
  ];
  for (let at = 0; at < depth; at++) {
    const inner = `/Resources << /XObject << /F ${objects.length + 2} 0 R >> >>`;
    objects.push(streamOf("/F Do /F Do", `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${inner}`));
  }
  return [...objects, streamOf("BT (x) Tj ET", "/Type /XObject /Subtype /Form /BBox [0 0 9 9]")];
}

/** A PDF of these objects, the first of which is its catalog. */
function pdfOfObjects(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = 9;
  const add = (part: string | Buffer) => {
    const bytes = Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    add(`${at + 1} 0 obj\n`);
    add(object);
    add("\nendobj\n");
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  add(`xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`);
  return Buffer.concat(parts);
}
