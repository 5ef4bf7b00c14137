import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { addBrands, bearer, callAll, collect, json, post, type Timed } from "./callers.ts";
import { startCrowded, type Crowded } from "./service.ts";

// What another organization notices of one that is busy: its calls are timed while nothing else happens and, in the same run,
// beside a collect of many simulated questions with many brands, and a second reading of the answers. `--root DIR` measures another checkout.

const { values } = parseArgs({
  options: {
    root: { type: "string", default: join(import.meta.dirname, "../..") },
    questions: { type: "string", default: "20000" },
    brands: { type: "string", default: "2000" },
  },
});
const [questions, brands] = [Number(values.questions), Number(values.brands)];
const IDLE_MS = 10_000;
const SMALL = { keywords: 2, sources: ["ASSISTANT_A"] };
const ALL_SOURCES = ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A", "SEARCH_B"];

await using service = await startCrowded(values.root);
const [own, theirs] = [await addBrands(service, service.calm, 5), await addBrands(service, service.busy, brands)];
await collect(service, service.calm, { ...SMALL, name: "warm", brandId: own });
const idle = await timed(service, () => sleep(IDLE_MS));
const small = await collect(service, service.calm, { ...SMALL, name: "idle", brandId: own });

const big = { keywords: Math.ceil(questions / ALL_SOURCES.length), sources: ALL_SOURCES, brandId: theirs };
await collect(service, service.busy, { ...big, keywords: Math.ceil(big.keywords / 4), name: "first" });
let smallBeside = 0;
let peakMb = 0;
const began = performance.now();
const busy = await timed(service, async () => {
  const watching = setInterval(() => (peakMb = Math.max(peakMb, service.memoryMb())), 500);
  const collecting = collect(service, service.busy, { ...big, name: "second" });
  // A new brand has all answers read again.
  const brand = { name: "Another brand", relationship: "other" };
  await json(post(`${service.baseUrl}${service.busy.path}/brands`, brand, bearer(service.busy)));
  await sleep(1000);
  smallBeside = await collect(service, service.calm, { ...SMALL, name: "beside", brandId: own });
  await collecting;
  clearInterval(watching);
});
const seconds = (performance.now() - began) / 1000;

console.info(
  `Beside a collect of ${questions} questions with ${brands} brands and a second reading, in ${seconds.toFixed(0)} s:`,
);
for (const [at, { what, quantile, ms }] of busy.entries()) {
  const [calm, crowded] = [idle[at]?.ms ?? [], ms].map((times) => quantileOf(times, quantile));
  line(`${what}, p${quantile * 100}`, calm ?? 0, crowded ?? 0);
}
line("a collect of 2 questions", small, smallBeside);
console.info(`${"memory of all processes (PSS)".padEnd(30)} ${peakMb.toFixed(0)} MB at most`);
console.info(`${"the busy collect".padEnd(30)} ${(questions / seconds).toFixed(0)} answers a second`);

async function timed(of: Crowded, work: () => Promise<unknown>): Promise<Timed[]> {
  const over = new AbortController();
  const calling = callAll(of, over.signal);
  await work().finally(() => over.abort());
  return calling;
}

function quantileOf(ms: readonly number[], quantile: number): number {
  const sorted = ms.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0;
}

function line(what: string, calm: number, crowded: number): void {
  const ratio = (crowded / calm).toFixed(1);
  console.info(
    `${what.padEnd(30)} ${crowded.toFixed(0).padStart(6)} ms, idle ${calm.toFixed(0).padStart(5)} ms, ratio ${ratio}`,
  );
}
