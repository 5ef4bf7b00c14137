import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { callAll, type TimedCalls } from "./callers.ts";
import { startCrowded, type Crowded } from "./service.ts";
import { addBrand, addBrands, addWorkspace, collect, importLines, type Progress } from "./work.ts";

// Latency for one organization while another is busy: idle, and in the same run during an import, a
// collect of simulated prompts with many brands, and a re-extraction. `--root DIR` measures another
// checkout.

const { values } = parseArgs({
  options: {
    root: { type: "string", default: join(import.meta.dirname, "../..") },
    questions: { type: "string", default: "100000" },
    brands: { type: "string", default: "2000" },
    lines: { type: "string", default: "200000" },
    seconds: { type: "string", default: "120" },
  },
});
const [questions, brands, lines] = [Number(values.questions), Number(values.brands), Number(values.lines)];
const IDLE_MS = 20_000;
/** Counting a process's pages pauses it. */
const MEMORY_EVERY_MS = 5000;
const CROWDED_MS = Number(values.seconds) * 1000;
const ALL_SOURCES = ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A", "SEARCH_B"];
const SMALL = { keywords: 2, sources: ["ASSISTANT_A"], runs: 1 };
const SMALL_COLLECTS = 15;
const LINES_OF_A_SETUP = 20_000;
const KEYWORDS_ALONE = 1000;

await using service = await startCrowded(values.root);
const { calm, busy } = service;
const own = await addBrands(service, calm, 5);

const alone = await measureAlone(service);
console.info(`Alone, with 21 brands: ${rate("import", alone.importing)}, ${rate("collect", alone.collecting)}`);

const [asked, imported, reread] = [
  busy,
  await addWorkspace(service, busy, "Imported"),
  await addWorkspace(service, busy, "Read again"),
];
const [askedBrand, importedBrand, rereadBrand] = [
  await addBrands(service, asked, brands),
  await addBrands(service, imported, 5),
  await addBrands(service, reread, 5),
];
const ofMany = { name: "many brands", keywords: KEYWORDS_ALONE, sources: ALL_SOURCES, runs: 1, brandId: askedBrand };
const withMany = collect(service, asked, ofMany);
await withMany.ended;
console.info(`Alone, with ${brands} brands: ${rate("collect", withMany)}`);
for (let done = 0; done < lines; done += LINES_OF_A_SETUP) {
  await importLines(service, reread, { lines: Math.min(LINES_OF_A_SETUP, lines - done), brandId: rereadBrand }).ended;
}

const idle = await timed(service, () => sleep(IDLE_MS));
const small = await measureSmallCollects("idle");

const work: { what: string; progress: Progress }[] = [];
let peakMb = 0;
let smallBeside: number[] = [];
const beside = await timed(service, async () => {
  const watching = setInterval(() => (peakMb = Math.max(peakMb, service.memoryMb())), MEMORY_EVERY_MS);
  const began = performance.now();
  const keywords = Math.min(5000, Math.ceil(questions / 4));
  const big = { keywords, sources: ALL_SOURCES, runs: Math.ceil(questions / 4 / keywords), brandId: askedBrand };
  work.push({ what: "import", progress: importLines(service, imported, { lines, brandId: importedBrand }) });
  work.push({ what: "collect", progress: collect(service, asked, { ...big, name: "big" }) });
  // A new brand re-extracts all answers of its workspace.
  await addBrand(service, reread, { name: "Another brand", relationship: "other" });
  await sleep(2000);
  smallBeside = await measureSmallCollects("beside");
  await sleep(Math.max(0, CROWDED_MS - (performance.now() - began)));
  clearInterval(watching);
  for (const { progress } of work) await progress.poll();
});

const crowd = `an import of ${lines} lines, a collect of ${questions} questions with ${brands} brands and ${lines} answers read again`;
console.info(`Beside ${crowd}, for ${(CROWDED_MS / 1000).toFixed(0)} s:`);
for (const [at, { what, quantile, ms }] of beside.entries()) {
  const [calmly, crowded] = [idle[at]?.ms ?? [], ms].map((times) => quantileOf(times, quantile));
  line(`${what}, p${quantile * 100}`, calmly ?? 0, crowded ?? 0);
}
line("a collect of 2 questions", quantileOf(small, 0.5), quantileOf(smallBeside, 0.5));
console.info(`${"memory of all processes (PSS)".padEnd(30)} ${peakMb.toFixed(0)} MB at most`);
for (const { what, progress } of work) console.info(`${"beside it".padEnd(30)} ${rate(what, progress)}`);

/** Throughput of an import and of a collect on an idle service. */
async function measureAlone(of: Crowded) {
  const workspace = await addWorkspace(of, of.busy, "Alone");
  const brandId = await addBrands(of, workspace, 21);
  const importing = importLines(of, workspace, { lines: LINES_OF_A_SETUP, brandId });
  await importing.ended;
  const asking = { name: "alone", keywords: KEYWORDS_ALONE, sources: ALL_SOURCES, runs: 1, brandId };
  const collecting = collect(of, workspace, asking);
  await collecting.ended;
  return { importing, collecting };
}

async function measureSmallCollects(name: string): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < SMALL_COLLECTS; at++) {
    const progress = collect(service, calm, { ...SMALL, name: `${name} ${at}`, brandId: own });
    await progress.ended;
    took.push(progress.ms());
    await sleep(500);
  }
  return took;
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

function rate(what: string, progress: Progress): string {
  return `${what} ${((1000 * progress.done()) / progress.ms()).toFixed(0)} answers a second`;
}

function line(what: string, calmly: number, crowded: number): void {
  const ratio = (crowded / calmly).toFixed(1);
  console.info(
    `${what.padEnd(30)} ${crowded.toFixed(0).padStart(6)} ms, idle ${calmly.toFixed(0).padStart(5)} ms, ratio ${ratio}`,
  );
}
