import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ALL_FILES } from "./uninterrupted.ts";
import { random } from "../support/random.ts";

/** Observations of callers whose service is killed repeatedly. */
export interface ExportProgress {
  /** Exports requested. */
  requestedCount: number;
  /** Set once each table was exported in each format. */
  isStopped: boolean;
  /** Complete files: name such as `answers.csv`, and SHA-256. */
  files: { name: string; sum: string }[];
  /** X-Request-Id of each download by link whose head arrived. */
  requestIds: string[];
  /** Downloads interrupted in the body, as noticed by the caller. */
  brokenDownloads: number;
  /** Messages of exports without a file. */
  failures: string[];
}

interface ExportTarget {
  baseUrl: string;
  /** Path of the workspace. */
  path: string;
  apiKey: string;
}

const RETRY_MS = 50;
const MAX_TRIES = 2400;

/**
 * Creates exports one by one, downloads them, and deletes some; retries while the service is down.
 */
export async function runExports(from: ExportTarget, exporting: ExportProgress): Promise<void> {
  while (!exporting.isStopped || exporting.requestedCount < 2 * ALL_FILES.length) {
    const nth = exporting.requestedCount++;
    const request = ALL_FILES[(nth * 5) % ALL_FILES.length] ?? ALL_FILES[0];
    const name = `${request?.what}.${request?.format}`;
    const headers = { authorization: `Bearer ${await tokenOf(from)}` };
    // Every second file is downloaded by link.
    const later = nth % 2 === 0 ? { prefer: "respond-async" } : {};
    const exports = `${from.baseUrl}${from.path}/exports`;
    const sent = await fetchWithRetries(exports, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "idempotency-key": randomUUID(), ...later },
      body: JSON.stringify(request),
    });
    if (sent.status === 200) {
      exporting.files.push({ name, sum: sumOf(sent.bytes) });
      continue;
    }
    const { id } = jsonOf(sent, 202);
    const ended = await waitForExport(`${exports}/${String(id)}`, headers);
    if (ended["status"] === "failed") exporting.failures.push(String(ended["failure_reason"]));
    else exporting.files.push({ name, sum: sumOf(await download(String(ended["url"]), exporting)) });
    if (nth % 4 === 0) await fetchWithRetries(`${exports}/${String(id)}`, { method: "DELETE", headers });
  }
}

async function tokenOf({ baseUrl, apiKey }: ExportTarget): Promise<string> {
  const body = JSON.stringify({ api_key: apiKey });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  return String(jsonOf(await fetchWithRetries(`${baseUrl}/v1/auth/token`, init), 200)["access_token"]);
}

async function waitForExport(at: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const state = jsonOf(await fetchWithRetries(at, { headers }), 200);
    if (state["status"] === "completed" || state["status"] === "failed") return state;
    await sleep(RETRY_MS);
  }
  throw new Error("an export did not end");
}

/** The whole file behind a link. */
async function download(url: string, exporting: ExportProgress): Promise<Buffer> {
  const { bytes, status } = await fetchWithRetries(url, {}, (response) => {
    // A starting or stopping service rejects requests before routing.
    if (response.status !== 200) return () => undefined;
    exporting.requestIds.push(response.headers.get("x-request-id") ?? "");
    return () => void (exporting.brokenDownloads += 1);
  });
  if (status !== 200) throw new Error(`a link gave ${status}: ${bytes.toString()}`);
  return bytes;
}

interface Answered {
  status: number;
  bytes: Buffer;
}

/**
 * Response of the service, retried while it is down or busy. `onHead` is called per head; its
 * result is called if the body breaks off.
 */
async function fetchWithRetries(
  url: string,
  init: RequestInit,
  onHead?: (head: Response) => () => void,
): Promise<Answered> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    let onCut: (() => void) | undefined;
    try {
      const response = await fetch(url, init);
      onCut = onHead?.(response);
      // A delayed read can break off meanwhile.
      if (onCut) await sleep(random() * 300);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (![429, 503].includes(response.status)) return { status: response.status, bytes };
    } catch (error) {
      // fetch reports connection failures like this.
      if (!(error instanceof TypeError)) throw error;
      onCut?.();
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`the service was away for too long: ${url}`);
}

function jsonOf({ status, bytes }: Answered, expected: number): Record<string, unknown> {
  if (status !== expected)
    throw new Error(`status ${status} instead of ${expected}: ${bytes.toString().slice(0, 300)}`);
  return JSON.parse(bytes.toString()) as Record<string, unknown>;
}

function sumOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
