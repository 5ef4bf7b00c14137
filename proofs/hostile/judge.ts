import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row } from "./rows.ts";
import type { HostileScene } from "./scene.ts";
import { openSender, type Received, type RawRequest } from "./send.ts";

// Measures the cost of one row and judges whether it is too high.

/** Max milliseconds for which a shared thread may be blocked. */
const MAX_STOP_MS = 100;
/** Max size of a response relative to its request, above MAX_SMALL_ANSWER_BYTES. */
const MAX_ANSWER_RATIO = 10;
/**
 * Beyond that, max size relative to the response of a usual request: a list grows with its columns.
 */
const MAX_USUAL_RATIO = 2;
const MAX_SMALL_ANSWER_BYTES = 16 * 1024;
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;
/** Other load delays a row, so the best of several attempts counts. */
const ATTEMPTS = 3;
/** The monitor records a stop at the next event loop turn. */
const SETTLE_MS = 12;

export interface Cost extends Pick<Received, "status" | "ms" | "text"> {
  row: string;
  stopMs: number;
  /** The process whose thread was blocked longest. */
  stopped: string;
  growthBytes: number;
  requestBytes: number;
  answerBytes: number;
  faults: string[];
}

export function openJudge(at: HostileScene) {
  const sender = openSender(at.baseUrl);

  /** Signs in again and repeats a row if earlier rows ended the owner's sign-in. */
  async function measure(row: Row): Promise<Cost> {
    const make = async () => row.wire();
    const wire = await make().catch(() => undefined);
    const cost = wire && (await measureWire(row, wire));
    if (cost && (cost.status !== 401 || wire.headers["authorization"] === undefined)) return cost;
    await at.renew();
    return measureWire(row, await make());
  }

  async function measureWire(row: Row, wire: RawRequest): Promise<Cost> {
    at.stops.take();
    const before = memoryBytes(at.pid, "VmRSS");
    forgetPeak(at.pid);
    const answer = await sender.send(wire);
    await sleep(SETTLE_MS);
    const longest = at.stops.take().toSorted((a, b) => b.ms - a.ms)[0];
    const requestBytes = Buffer.byteLength(wire.path) + Buffer.byteLength(wire.body ?? "");
    const { status, ms, text } = answer;
    const cost: Cost = {
      row: row.name,
      status,
      ms,
      text,
      stopMs: longest?.ms ?? 0,
      stopped: longest?.process ?? "",
      growthBytes: memoryBytes(at.pid, "VmHWM") - before,
      requestBytes,
      answerBytes: answer.bytes,
      faults: [],
    };
    return { ...cost, faults: await faultsOf(cost, row) };
  }

  async function faultsOf(cost: Cost, row: Row): Promise<string[]> {
    const { status, stopMs, stopped, growthBytes, requestBytes, answerBytes } = cost;
    const faults: string[] = [];
    if (stopMs > MAX_STOP_MS) faults.push(`the ${stopped} stood still for ${stopMs.toFixed(0)} ms`);
    if (growthBytes > MAX_GROWTH_BYTES) faults.push(`memory grew by ${(growthBytes / 2 ** 20).toFixed(0)} MB`);
    if (status === 500 || status === 0) faults.push(`status ${status} ${cost.text.slice(0, 100)}`);
    if (await isLarge(cost, row)) faults.push(`${answerBytes} bytes answer ${requestBytes}`);
    return faults;
  }

  /**
   * True for a response that is large relative to its request, and not because the data is large.
   */
  async function isLarge({ status, requestBytes, answerBytes }: Cost, row: Row): Promise<boolean> {
    // A rejection is at most 16 KB, whatever the request's size. Only a form repeats its input.
    const isRejection = status >= 400 && !row.isToldWithRejection;
    const most = isRejection
      ? MAX_SMALL_ANSWER_BYTES
      : Math.max(MAX_SMALL_ANSWER_BYTES, requestBytes * MAX_ANSWER_RATIO);
    if (answerBytes <= most || row.isFile) return false;
    if (row.usual === undefined || isRejection) return true;
    return answerBytes > most + MAX_USUAL_RATIO * (await sender.send(await row.usual())).bytes;
  }

  return {
    /** The lowest cost of a row over several attempts; one attempt suffices without a fault. */
    async judge(row: Row): Promise<Cost> {
      let best = await measure(row);
      for (let attempt = 1; attempt < ATTEMPTS && best.faults.length > 0; attempt++) {
        const again = await measure(row);
        if (again.faults.length === 0 || again.stopMs < best.stopMs) best = again;
      }
      return best;
    },
    [Symbol.dispose]: () => sender[Symbol.dispose](),
  };
}

/** Table lines of the most expensive rows. */
export function worstRows(costs: readonly Cost[], count = 5): string[] {
  const worst = costs.toSorted((a, b) => b.stopMs - a.stopMs).slice(0, count);
  return worst.map(
    ({ row, status, stopMs, stopped, requestBytes, answerBytes, growthBytes }) =>
      `${stopMs.toFixed(0).padStart(6)} ms ${stopped.padEnd(6)} ${String(status)} ${kb(requestBytes)} in ${kb(answerBytes)} out ${kb(growthBytes)} grown  ${row}`,
  );
}

function kb(bytes: number): string {
  return `${(bytes / 1024).toFixed(0).padStart(6)} kB`;
}

/** VmRSS is a process's resident memory, VmHWM its peak since the last reset (proc(5)). */
function memoryBytes(pid: number, what: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return 1024 * Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]);
}

function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
