import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { AssetType } from "../../core/assets.ts";

/** The result of reading a document. A reason never quotes the document. */
export type Extraction =
  | { kind: "text"; text: string; isCut: boolean }
  | { kind: "unreadable"; reason: string }
  /** It exceeded the time or memory limit, possibly because the machine is busy. */
  | { kind: "exhausted"; reason: string };

export interface ExtractionLimits {
  timeoutMs: number;
  /** How much process memory may grow while reading, including buffers. */
  memoryBytes: number;
}

export const EXTRACTION_LIMITS: ExtractionLimits = { timeoutMs: 30_000, memoryBytes: 768 * 1024 * 1024 };
const WATCH_MS = 50;

/** A thread that runs extract-thread: compiled, or from source if the process runs from source. */
function startThread(type: AssetType, bytes: Uint8Array<ArrayBuffer>): Worker {
  const ending = extname(import.meta.url);
  const entry = new URL(`./extract-thread${ending}`, import.meta.url);
  const options: WorkerOptions = {
    transferList: [bytes.buffer],
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  };
  if (ending !== ".ts") return new Worker(entry, { ...options, workerData: { type, bytes } });
  const loader = import.meta.resolve("tsx/esm/api");
  const workerData = { type, bytes, loader, entry: entry.href };
  return new Worker(FROM_SOURCES, { ...options, eval: true, workerData });
}

/** Node 20 cannot run TypeScript: in development and tests the thread loads the same loader as the process. */
const FROM_SOURCES = `
  const { workerData } = require("node:worker_threads");
  import(workerData.loader).then(({ register }) => {
    register();
    return import(workerData.entry);
  });
`;

/** Reads a document in a thread that is terminated when it exceeds its limits. `bytes` are transferred. */
export async function extractText(
  document: { type: AssetType; bytes: Uint8Array<ArrayBuffer> },
  limits: ExtractionLimits,
  signal: AbortSignal,
): Promise<Extraction> {
  const thread = startThread(document.type, document.bytes);
  const before = process.memoryUsage.rss();
  return new Promise<Extraction>((resolve, reject) => {
    let ended = false;
    const end = (extraction: Extraction) => {
      // Terminating the thread also emits exit; only the first event counts.
      if (ended) return;
      ended = true;
      clearInterval(watch);
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
      void thread.terminate().then(() => resolve(extraction), reject);
    };
    const exhausted = (reason: string) => end({ kind: "exhausted", reason });
    const abort = () => exhausted("Reading it was cancelled.");
    const late = setTimeout(() => exhausted("Reading it takes too long."), limits.timeoutMs);
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > limits.memoryBytes) exhausted("Reading it takes too much memory.");
    }, WATCH_MS);
    signal.addEventListener("abort", abort);
    thread.once("message", (message: Read) => end(extractionOf(message)));
    thread.once("error", (error) => {
      if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") exhausted("Reading it takes too much memory.");
      else end({ kind: "unreadable", reason: BROKEN });
    });
    thread.once("exit", () => end({ kind: "unreadable", reason: BROKEN }));
  });
}

type Read = { ok: true; text: string; isCut: boolean } | { ok: false; name: string };

const BROKEN = "It could not be read: it is damaged, or not of the type it claims.";

function extractionOf(read: Read): Extraction {
  if (read.ok) return { kind: "text", text: read.text, isCut: read.isCut };
  if (read.name === "PasswordException") return { kind: "unreadable", reason: "It is protected by a password." };
  if (read.name === "TooMuch") return { kind: "unreadable", reason: "It is too large when decompressed." };
  return { kind: "unreadable", reason: BROKEN };
}
