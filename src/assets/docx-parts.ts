import { Readable } from "node:stream";
import { Parser } from "htmlparser2";
import JSZip from "jszip";
import { TooMuch } from "./too-much.ts";

/** Total of all XML in a document. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Tags, attributes and entities in all XML of a document: each becomes an object in memory. */
const MAX_MARKS = 1_000_000;
const MAX_OPEN = 1000;
const MAX_ENTRIES = 10_000;

/** Against zip bombs: the library reads only counted bytes. Throws TooMuch. */
export async function repackDocxParts(bytes: Buffer): Promise<Buffer> {
  const entries = Object.values((await JSZip.loadAsync(bytes)).files);
  if (entries.length > MAX_ENTRIES) throw new TooMuch();
  const kept = new JSZip();
  const left = { bytes: MAX_BYTES, marks: MAX_MARKS };
  for (const entry of entries) {
    if (entry.dir || !/\.(?:xml|rels)$/i.test(entry.name)) continue;
    const part = await inflateEntry(entry, left);
    countMarks(part, left);
    kept.file(entry.name, part);
  }
  await checkRelationships(kept);
  return kept.generateAsync({ type: "nodebuffer" });
}

async function inflateEntry(entry: JSZip.JSZipObject, left: { bytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of new Readable().wrap(entry.nodeStream()) as AsyncIterable<Buffer>) {
    left.bytes -= chunk.length;
    if (left.bytes < 0) throw new TooMuch();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const [LESS, GREATER, SLASH, EQUALS, AMPERSAND, BANG, QUESTION] = Buffer.from("<>/=&!?");

/** Counts single bytes, so that no other decoding of the XML can contain more markup. */
function countMarks(part: Buffer, budget: { marks: number }): void {
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
    budget.marks--;
    if (budget.marks < 0 || open > MAX_OPEN) throw new TooMuch();
  }
}

const READ = /\/(?:officeDocument|styles|numbering|footnotes|endnotes|comments)$/;

/** The library would build a repeated part again, uncounted. Rejects text outside XML parts. */
async function checkRelationships(kept: JSZip): Promise<void> {
  const [main, ...more] = await findTargets(kept, "");
  if (main === undefined || more.length > 0 || kept.file(main) === null) {
    throw new Error("The main part of the document is not XML.");
  }
  const parts = [main, ...(await findTargets(kept, main))];
  if (new Set(parts).size < parts.length) throw new Error("A part of the document is several parts at once.");
}

/** Without `part`, the parts of the whole document. */
async function findTargets(archive: JSZip, part: string): Promise<string[]> {
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
  parser.end((await archive.file(`${folder}_rels/${name}.rels`)?.async("string")) ?? "");
  return targets;
}
