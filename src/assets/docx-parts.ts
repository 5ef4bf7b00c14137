import { Readable } from "node:stream";
import { Parser } from "htmlparser2";
import JSZip from "jszip";
import { TooMuch } from "./too-much.ts";

/** Maximum size of all XML in a document. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Maximum number of tags, attributes and entities in all XML of a document: each becomes an object in memory. */
const MOST_MARKS = 1_000_000;
/** Maximum number of open elements. */
const MOST_OPEN = 1000;
const MOST_ENTRIES = 10_000;

/**
 * The XML parts of a DOCX as an archive of their own: what a library reads of it was counted and looked at before,
 * whatever the given archive says of itself (a "zip bomb"). Throws TooMuch, or an error for what is no such document.
 */
export async function docxParts(bytes: Buffer): Promise<Buffer> {
  const given = await JSZip.loadAsync(bytes);
  const entries = Object.values(given.files);
  if (entries.length > MOST_ENTRIES) throw new TooMuch();
  const kept = new JSZip();
  const left = { bytes: MOST_BYTES, marks: MOST_MARKS };
  for (const entry of entries) {
    if (entry.dir || !/\.(?:xml|rels)$/i.test(entry.name)) continue;
    const part = await inflated(entry, left);
    countMarks(part, left);
    kept.file(entry.name, part);
  }
  await refuseOtherMainPart(kept);
  return kept.generateAsync({ type: "nodebuffer" });
}

/** The whole of an entry, given up as soon as it is more than may be left. */
async function inflated(entry: JSZip.JSZipObject, left: { bytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of new Readable().wrap(entry.nodeStream()) as AsyncIterable<Buffer>) {
    left.bytes -= chunk.length;
    if (left.bytes < 0) throw new TooMuch();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const [LESS, GREATER, SLASH, EQUALS, AMPERSAND, BANG, QUESTION] = Buffer.from("<>/=&!?");

/** Counts by single bytes, so that no other way of reading the XML can find more in it. */
function countMarks(part: Buffer, left: { marks: number }): void {
  let open = 0;
  for (let at = 0; at < part.length; at++) {
    const byte = part[at];
    if (byte === LESS) {
      const next = part[at + 1];
      if (next === SLASH) open--;
      else if (next !== BANG && next !== QUESTION) open++;
    } else if (byte === GREATER) {
      if (part[at - 1] === SLASH) open--;
      continue;
    } else if (byte !== EQUALS && byte !== AMPERSAND) continue;
    left.marks--;
    if (left.marks < 0 || open > MOST_OPEN) throw new TooMuch();
  }
}

/** A part that is not named as XML is not kept; a document whose text is in one is none that we read. */
async function refuseOtherMainPart(kept: JSZip): Promise<void> {
  const targets: (string | undefined)[] = [];
  const parser = new Parser(
    {
      onopentag(_, { Type: type, Target: target }) {
        if (type?.endsWith("/officeDocument")) targets.push(target);
      },
    },
    { xmlMode: true },
  );
  parser.end(await kept.file("_rels/.rels")?.async("string"));
  const isKept = (target = "") => kept.file(target.replace(/^\//, "")) !== null;
  if (!targets.every(isKept)) throw new Error("The main part of the document is not XML.");
}
