import { parseArgs } from "node:util";
import { measureHolds } from "./scene.ts";
import type { Hold } from "./watch.ts";

// How long background work, or a single request, blocks other writes.

const GOAL_MS = 20;

const { values } = parseArgs({
  options: { questions: { type: "string", default: "4000" }, brands: { type: "string", default: "500" } },
});
const { background, answering } = await measureHolds({
  questions: Number(values.questions),
  brands: Number(values.brands),
});
print("In the background", background);
print("By a request", answering);
const shortest = Math.min(...background.flatMap(({ pauseMs = Infinity }) => pauseMs));
console.info(`Shortest pause of the background: ${shortest.toFixed(2)} ms; goal 0.9`);
const missed = shortest < 0.9 || background.some(({ ms }) => ms > GOAL_MS);
process.exitCode = missed ? 1 : 0;

function figure(ms: number): string {
  return ms.toFixed(1).padStart(7);
}

function print(title: string, holds: readonly Hold[]): void {
  console.info(`${title}; goal of each at most ${GOAL_MS} ms`);
  const byKind = new Map<string, Hold[]>();
  for (const hold of holds) {
    const kind = hold.kinds.toSorted().join(", ").replaceAll("background: ", "");
    byKind.set(kind, [...(byKind.get(kind) ?? []), hold]);
  }
  for (const [kind, own] of [...byKind].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const byLength = own.toSorted((one, other) => one.ms - other.ms);
    const [longest, median] = [byLength.at(-1), byLength[own.length >> 1]];
    if (!longest || !median) continue;
    const rows = Math.max(...own.map((hold) => hold.rows));
    const cpu = Math.max(...own.map((hold) => hold.cpuMs));
    // A transaction with a long wall time but little CPU was delayed by other load on the machine.
    const figures = [
      `longest ${figure(longest.ms)} ms (CPU ${figure(longest.cpuMs)})`,
      `most CPU ${figure(cpu)}`,
      `median ${figure(median.ms)} (CPU ${figure(median.cpuMs)})`,
    ];
    console.info(`  ${kind.padEnd(40)} ${figures.join(", ")}, most rows ${rows}, transactions ${own.length}`);
  }
}
