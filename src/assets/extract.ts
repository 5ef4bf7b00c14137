import { fork, type ChildProcess } from "node:child_process";
import type { AssetType } from "../../core/assets/assets.ts";
import { PROGRAM_LOADER, programUrl } from "../../core/shared/program-url.ts";

/** A reason never quotes the document. */
export type TextExtraction =
  | { kind: "text"; text: string; isCut: boolean }
  | { kind: "unreadable"; reason: string }
  /** The machine may have been busy. */
  | { kind: "exhausted"; reason: string };

export interface ExtractionLimits {
  /** Base plus an amount per megabyte, up to `timeoutMs`. */
  baseMs: number;
  perMegabyteMs: number;
  timeoutMs: number;
  /** Includes the baseline of the process. */
  memoryBytes: number;
}

const MEGABYTE = 1024 * 1024;
export const EXTRACTION_LIMITS: ExtractionLimits = {
  baseMs: 15_000,
  perMegabyteMs: 10_000,
  timeoutMs: 30_000,
  memoryBytes: 512 * MEGABYTE,
};
/** Buffers come on top. */
const HEAP_MEGABYTES = 256;

function startProcess(type: AssetType, memoryBytes: number): ChildProcess {
  return fork(programUrl("src/assets/extract-process"), [type, String(memoryBytes)], {
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, ...PROGRAM_LOADER],
    env: {},
    stdio: ["pipe", "ignore", "ignore", "ipc"],
  });
}

/** A thread is unsafe: filling its memory fast enough crashes the whole process. */
export async function extractText(
  document: { type: AssetType; bytes: Uint8Array },
  limits: ExtractionLimits,
  signal: AbortSignal,
): Promise<TextExtraction> {
  const child = startProcess(document.type, limits.memoryBytes);
  return new Promise<TextExtraction>((resolve, reject) => {
    let result: TextExtraction | undefined;
    const end = (extraction: TextExtraction) => {
      // Killing the process also emits its exit; only the first reason counts.
      result ??= extraction;
      child.kill("SIGKILL");
    };
    const abort = () => end({ kind: "exhausted", reason: "Reading the file was cancelled." });
    const late = setTimeout(
      () => end({ kind: "exhausted", reason: "Reading the file takes too long." }),
      Math.min(limits.timeoutMs, limits.baseMs + (document.bytes.length / MEGABYTE) * limits.perMegabyteMs),
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    child.once("message", (message: ExtractedFile) => end(toExtraction(message)));
    child.once("error", reject);
    child.once("exit", (_, endedBy) => {
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
      // An oversized process kills itself by a signal, and V8 aborts when its heap is full.
      resolve(result ?? (endedBy === null ? BROKEN_FILE_RESULT : TOO_LARGE_RESULT));
    });
    // The process may exit before it has read its whole input.
    child.stdin?.on("error", () => undefined).end(document.bytes);
  });
}

type ExtractedFile = { ok: true; text: string; isCut: boolean } | { ok: false; name: string };

const BROKEN_FILE_RESULT: TextExtraction = {
  kind: "unreadable",
  reason: "The file could not be read: it is damaged, or not of the type it claims.",
};
const TOO_LARGE_RESULT: TextExtraction = { kind: "exhausted", reason: "Reading the file takes too much memory." };

function toExtraction(read: ExtractedFile): TextExtraction {
  if (read.ok) return { kind: "text", text: read.text, isCut: read.isCut };
  if (read.name === "PasswordException") return { kind: "unreadable", reason: "The file is protected by a password." };
  if (read.name === "TooMuch")
    return { kind: "unreadable", reason: "The file is too large, or nested too deep, to be read." };
  return BROKEN_FILE_RESULT;
}
