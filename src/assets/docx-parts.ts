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
  await checkRelationships(kept);
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

/** Kinds of parts that a library reads. */
const READ = /\/(?:officeDocument|styles|numbering|footnotes|endnotes|comments)$/;

/**
 * A part that is not named as XML is not kept; a document whose text is in one is none that we read. Nor is one of which
 * the same part is several: each would be built anew of what was counted once.
 */
async function checkRelationships(kept: JSZip): Promise<void> {
  const [main, ...more] = await targetsOf(kept, "");
  if (main === undefined || more.length > 0 || kept.file(main) === null) {
    throw new Error("The main part of the document is not XML.");
  }
  const parts = [main, ...(await targetsOf(kept, main))];
  if (new Set(parts).size < parts.length) throw new Error("A part of the document is several parts at once.");
}

/** The parts that a part names by its relationships; those of the whole document for none. */
async function targetsOf(kept: JSZip, part: string): Promise<string[]> {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)$/.exec(part) ?? [];
  const targets: string[] = [];
  const parser = new Parser(
    {
      onopentag(_, { Type: type = "", Target: target = "" }) {
        if (READ.test(type)) targets.push(target.startsWith("/") ? target.slice(1) : folder + target);
      },
    },
    { xmlMode: true },
  );
  parser.end((await kept.file(`${folder}_rels/${name}.rels`)?.async("string")) ?? "");
  return targets;
}
