import { fork, type ChildProcess } from "node:child_process";
import type { AssetType } from "../../core/assets/assets.ts";
import { PROGRAM_LOADER, programFile } from "../../core/shared/program-file.ts";

/** The result of reading a document. A reason never quotes the document. */
export type Extraction =
  | { kind: "text"; text: string; isCut: boolean }
  | { kind: "unreadable"; reason: string }
  /** It exceeded the time or memory limit, possibly because the machine is busy. */
  | { kind: "exhausted"; reason: string };

export interface ExtractionLimits {
  /** What any document may take, and for each of its megabytes; together at most `mostMs`. */
  baseMs: number;
  perMegabyteMs: number;
  mostMs: number;
  /** How much memory the process that reads it may have, with all that it has before. */
  memoryBytes: number;
}

const MEGABYTE = 1024 * 1024;
export const EXTRACTION_LIMITS: ExtractionLimits = {
  baseMs: 15_000,
  perMegabyteMs: 10_000,
  mostMs: 30_000,
  memoryBytes: 512 * MEGABYTE,
};
/** Of what JavaScript itself allocates; buffers come on top. */
const HEAP_MEGABYTES = 256;

/** A process that runs extract-process: compiled, or from source if this process runs from source. */
function startProcess(type: AssetType, memoryBytes: number): ChildProcess {
  return fork(programFile("src/assets/extract-process"), [type, String(memoryBytes)], {
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, ...PROGRAM_LOADER],
    env: {},
    stdio: ["pipe", "ignore", "ignore", "ipc"],
  });
}

/**
 * Reads a document in a process that is ended when it exceeds its limits. A thread would not do: what fills the memory of
 * a thread fast enough ends the whole process.
 */
export async function extractText(
  document: { type: AssetType; bytes: Uint8Array },
  limits: ExtractionLimits,
  signal: AbortSignal,
): Promise<Extraction> {
  const child = startProcess(document.type, limits.memoryBytes);
  return new Promise<Extraction>((resolve, reject) => {
    let result: Extraction | undefined;
    const end = (extraction: Extraction) => {
      // Ending the process is seen as its exit too; only the first reason counts.
      result ??= extraction;
      child.kill("SIGKILL");
    };
    const abort = () => end({ kind: "exhausted", reason: "Reading it was cancelled." });
    const late = setTimeout(
      () => end({ kind: "exhausted", reason: "Reading it takes too long." }),
      Math.min(limits.mostMs, limits.baseMs + (document.bytes.length / MEGABYTE) * limits.perMegabyteMs),
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    child.once("message", (message: Read) => end(extractionOf(message)));
    child.once("error", reject);
    child.once("exit", (_, endedBy) => {
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
      // It ends itself by a signal when it is too large, and V8 does when its heap is full.
      resolve(result ?? (endedBy === null ? BROKEN : TOO_LARGE));
    });
    // It may end before it has read everything.
    child.stdin?.on("error", () => undefined).end(document.bytes);
  });
}

type Read = { ok: true; text: string; isCut: boolean } | { ok: false; name: string };

const BROKEN: Extraction = {
  kind: "unreadable",
  reason: "It could not be read: it is damaged, or not of the type it claims.",
};
const TOO_LARGE: Extraction = { kind: "exhausted", reason: "Reading it takes too much memory." };

function extractionOf(read: Read): Extraction {
  if (read.ok) return { kind: "text", text: read.text, isCut: read.isCut };
  if (read.name === "PasswordException") return { kind: "unreadable", reason: "It is protected by a password." };
  if (read.name === "TooMuch")
    return { kind: "unreadable", reason: "It is too large, or nested too deep, to be read." };
  return BROKEN;
}
