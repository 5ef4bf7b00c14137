import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { bearer, callAll, readJson, post, type TimedCalls } from "./callers.ts";
import { startCrowded, type Crowded, type Tenant } from "./service.ts";
import { addBrands, addWorkspace, importLines } from "./work.ts";

// Memory of a large export compared with one of a tenth of the answers, speed of each format, and
// latency for another organization meanwhile.

const { values } = parseArgs({
  options: {
    answers: { type: "string", default: "200000" },
    formats: { type: "string", default: "csv,jsonl,parquet" },
  },
});
const MANY_ANSWERS = Number(values.answers);
const FEW_ANSWERS = Math.ceil(MANY_ANSWERS / 10);
const [IDLE_MS, MEMORY_EVERY_MS] = [20_000, 200];

await using service = await startCrowded(new URL("../..", import.meta.url).pathname);
const tenant = await addWorkspace(service, service.busy, "Exported");
const brandId = await addBrands(service, tenant, 5);
const few = importLines(service, tenant, { lines: FEW_ANSWERS, brandId });
await few.ended;
await importLines(service, tenant, { lines: MANY_ANSWERS - FEW_ANSWERS, brandId }).ended;
const ofFew = { analysis_ids: [await few.analysisId()] };
// Waits until the import's memory is released.
await sleep(5000);

for (const format of values.formats.split(",").filter(Boolean)) {
  // The first export starts a thread.
  await exported(service, tenant, { what: "queries", format });
  const some = await exported(service, tenant, { what: "answers", format, filters: ofFew });
  const all = await exported(service, tenant, { what: "answers", format });
  console.info(`${format}: ${describeExport(some)}; ${describeExport(all)}`);
}
const mentions = await exported(service, tenant, { what: "mentions", format: "jsonl" });
console.info(`mentions: ${describeExport(mentions)}`);

const idle = await timed(service, () => sleep(IDLE_MS));
const beside = await timed(service, async () => {
  for (let at = 0; at < 3; at += 1) await exported(service, tenant, { what: "answers", format: "jsonl" });
});
for (const [at, { what, quantile, ms }] of beside.entries()) {
  const [calmly, busy] = [idle[at]?.ms ?? [], ms].map((times) => quantileOf(times, quantile));
  const ratio = ((busy ?? 0) / (calmly ?? 1)).toFixed(1);
  const medians = `p50 ${quantileOf(ms, 0.5).toFixed(0)} ms beside, ${quantileOf(idle[at]?.ms ?? [], 0.5).toFixed(0)} idle`;
  console.info(
    `${what}, ${medians}, p${quantile * 100}: ${busy?.toFixed(0)} ms beside, ${calmly?.toFixed(0)} idle, ratio ${ratio}`,
  );
}

interface Exported {
  rows: number;
  megabytes: number;
  ms: number;
  /** Peak memory of all processes during the export, and memory before it. */
  peakMb: number;
  beforeMb: number;
}

/** Creates an export, waits until it completes, and deletes it. */
async function exported(of: Crowded, { path, ...owner }: Tenant, request: object): Promise<Exported> {
  const at = `${of.baseUrl}${path}/exports`;
  const headers = bearer({ path, ...owner });
  const [began, beforeMb] = [performance.now(), of.residentMb()];
  const { id } = await readJson(post(at, request, { ...headers, prefer: "respond-async" }));
  let peakMb = beforeMb;
  for (;;) {
    const now = await readJson(fetch(`${at}/${String(id)}`, { headers }));
    peakMb = Math.max(peakMb, of.residentMb());
    if (now["status"] === "failed") throw new Error(String(now["failure_reason"]));
    if (now["status"] === "completed") {
      const ms = performance.now() - began;
      await fetch(`${at}/${String(id)}`, { method: "DELETE", headers });
      return { rows: Number(now["rows"]), megabytes: Number(now["size_bytes"]) / 1e6, ms, peakMb, beforeMb };
    }
    await sleep(MEMORY_EVERY_MS);
  }
}

function describeExport({ rows, megabytes, ms, peakMb, beforeMb }: Exported): string {
  const seconds = (ms / 1000).toFixed(1);
  return `${rows} rows, ${megabytes.toFixed(0)} MB in ${seconds} s, memory ${beforeMb.toFixed(0)} to ${peakMb.toFixed(0)} MB`;
}

async function timed(of: Crowded, during: () => Promise<unknown>): Promise<TimedCalls[]> {
  const over = new AbortController();
  const calling = callAll(of, over.signal);
  await during().finally(() => over.abort());
  return calling;
}

function quantileOf(ms: readonly number[], quantile: number): number {
  const sorted = ms.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0;
}
