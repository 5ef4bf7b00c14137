import { crc32, deflateRawSync } from "node:zlib";

// Small real files, written byte by byte from their specifications.

/** A PDF with one page per text, lines below each other (ISO 32000-1 sections 7.5 and 9.4). */
export function pdfOf(...pages: string[][]): Buffer {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>"];
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [index, lines] of pages.entries()) {
    const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj T*`).join("\n");
    const stream = `BT /F1 12 Tf 14 TL 72 720 Td\n${shown}\nET`;
    const resources = "/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>";
    objects.push(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${5 + index * 2} 0 R >>`);
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  let body = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`, "latin1");
}

/** An archive entry: its deflated bytes and declared size. */
export interface ZipPart {
  name: string;
  data: Buffer;
  size: number;
  crc?: number;
  /** Shares the bytes of the previous entry. */
  sharesData?: boolean;
}

/** A ZIP archive (APPNOTE.TXT section 4.3). `lie` is the size that every entry states of itself. */
export function zipOf(entries: Record<string, string | Buffer>, lie?: number): Buffer {
  return zipOfParts(
    Object.entries(entries).map(([name, content]) => {
      const raw = Buffer.from(content);
      return { name, data: deflateRawSync(raw), size: lie ?? raw.length, crc: crc32(raw) };
    }),
  );
}

/** A ZIP archive of entries as they are given, whether they fit together or not. */
export function zipOfParts(given: readonly ZipPart[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let [offset, start] = [0, 0];
  for (const { name: path, data, size, crc = 0, sharesData = false } of given) {
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    if (!sharesData) {
      start = offset;
      parts.push(Buffer.from("PK\x03\x04", "latin1"), common, name, data);
      offset += 4 + common.length + name.length + data.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(start, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, rest, name);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(given.length, 4);
  end.writeUInt16LE(given.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06", "latin1"), end]);
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A DOCX document of headings (starting with #) and paragraphs (ECMA-376 part 1 section 11.3). */
export function docxOf(paragraphs: string[], lie?: number): Buffer {
  return zipOf(docxParts(paragraphs), lie);
}

/** The parts of such a document by name. */
export function docxParts(paragraphs: string[]) {
  const body = paragraphs.map((text) => {
    const heading = text.startsWith("# ");
    const style = heading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : "";
    return `<w:p>${style}<w:r><w:t>${heading ? text.slice(2) : text}</w:t></w:r></w:p>`;
  });
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml";
  return {
    "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${type}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
    "word/styles.xml": `<?xml version="1.0"?><w:styles ${WORD}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    "word/document.xml": `<?xml version="1.0"?><w:document ${WORD}><w:body>${body.join("")}</w:body></w:document>`,
  };
}

export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const GIF = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64");
/** First box of an MP4 (ISO/IEC 14496-12 section 4.3), and an empty media box. */
export const MP4 = Buffer.concat([
  Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1"),
  Buffer.from("\0\0\0\x08mdat", "latin1"),
]);
/** An EBML header of WebM (RFC 8794 section 11.2). */
export const WEBM = Buffer.from(
  "1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806700",
  "hex",
);

/** A multipart form with a file and fields. */
export function formOf(bytes: Uint8Array, fileName: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("content", new Blob([new Uint8Array(bytes)]), fileName);
  return form;
}
