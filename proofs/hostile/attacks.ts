import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ATTACKS, type Attack } from "./attack-list.ts";
import { prepareAttacked, type Attacked } from "./attacked-service.ts";
import { callUntil, typicalCalls, type CallStats } from "./light-callers.ts";

// Latency for another organization under each of nine attacks: idle, and in the same run during the
// attack. `--root DIR` measures another checkout first, `--only 5` one attack, `--seconds` sets the
// duration of each.

const { values } = parseArgs({
  options: { root: { type: "string" }, only: { type: "string" }, seconds: { type: "string", default: "8" } },
});
const OWN = join(import.meta.dirname, "../..");
const BESIDE_MS = Number(values.seconds) * 1000;
const IDLE_MS = Math.min(BESIDE_MS, 5000);
for (const root of values.root === undefined ? [OWN] : [values.root, OWN]) {
  console.info(`\n${root === OWN ? "This checkout" : root}: p99 in ms, idle and beside the attack`);
  await using service = await prepareAttacked(root);
  const missed: string[] = [];
  for (const attack of ATTACKS.filter(({ name }) => name.startsWith(values.only ?? ""))) {
    await using attacked = await service.start();
    missed.push(...(await measure(attacked, attack)));
  }
  console.info(missed.length === 0 ? "All goals are met." : `Missed: ${missed.join("; ")}`);
  if (root === OWN && missed.length > 0) process.exitCode = 1;
}
// Unanswered requests would keep the process running.
process.exit();

/** Prints the effect of an attack on others; returns the values above their goals. */
async function measure(attacked: Attacked, { name, run, alsoCalls }: Attack): Promise<string[]> {
  const kinds = [...typicalCalls(attacked), ...(alsoCalls?.(attacked) ?? [])];
  const timed = async (during: (over: AbortSignal) => Promise<unknown>) => {
    const over = new AbortController();
    const noticed = callUntil(kinds, over.signal);
    await during(over.signal);
    over.abort();
    return noticed;
  };
  await timed(() => sleep(1000));
  const idle = await timed(() => sleep(IDLE_MS));
  const attackOver = new AbortController();
  const statuses = new Map<number, number>();
  const countStatus = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const attacking = run(attacked, { over: attackOver.signal, countStatus });
  // Excludes the attack's start.
  await sleep(300);
  const beside = await timed(() => sleep(BESIDE_MS));
  attackOver.abort();
  await attacking;
  const answers = [...statuses].map(([status, count]) => `${count} x ${status}`).join(", ");
  console.info(`${name} (answered ${answers || "nothing"})`);
  return beside.flatMap((crowded, at) => {
    const calm = idle[at];
    return calm === undefined ? [] : line(name, calm, crowded);
  });
}

function line(attack: string, idle: CallStats, beside: CallStats): string[] {
  const { what, goal } = idle.kind;
  const quantile = goal?.quantile ?? 0.99;
  const [calm, crowded] = [quantileOf(idle.ms, quantile), quantileOf(beside.ms, quantile)];
  const isMissed = beside.refused.length > 0 || (goal !== undefined && crowded > goal.ratio * calm);
  const ratio = `ratio ${(crowded / calm).toFixed(1).padStart(6)}${goal ? ` (goal ${goal.ratio})` : "         "}`;
  // A sequential caller sees one stall as one call, which a median hides.
  const longest = `longest ${figure(Math.max(...idle.ms))} ${figure(Math.max(...beside.ms))}`;
  const statuses = [...new Set(beside.refused)].join();
  const refused = `${beside.refused.length} of ${beside.ms.length} refused ${statuses}`;
  console.info(
    `  ${what.padEnd(18)}p${quantile * 100} ${figure(calm)} ${figure(crowded)}  ${ratio}  ${longest}  ${refused}${isMissed ? "  MISSED" : ""}`,
  );
  return isMissed ? [`${attack}, ${what}`] : [];
}

function quantileOf(ms: readonly number[], quantile: number): number {
  const sorted = ms.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN;
}

function figure(ms: number): string {
  return ms.toFixed(ms < 100 ? 1 : 0).padStart(8);
}
