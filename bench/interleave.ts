import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { measure, type Load } from "./load.ts";

/** Our throughput, the other server's, and the ratio; each is a median over the rounds. */
export interface Comparison {
  what: string;
  against: string;
  ours: number;
  theirs: number;
  ratio: number;
  /** Undefined if no goal is set. */
  goal?: number | undefined;
}

const ROUNDS = 5;
export const ROUND_MS = 1500;
export const CONNECTIONS = 16;

/**
 * Requests per second of every load, once per round, so that background load affects all equally.
 */
export async function measureInterleaved<K extends string>(loads: Record<K, Load>): Promise<Record<K, number>[]> {
  const names = Object.keys(loads) as K[];
  for (const name of names) await measure(loads[name]);
  const rounds: Record<K, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Partial<Record<K, number>> = {};
    for (const name of names) figures[name] = (await measure(loads[name])).requestsPerSecond;
    rounds.push(figures as Record<K, number>);
  }
  return rounds;
}

export function comparison<K extends string>(
  what: string,
  against: string,
  rounds: Record<K, number>[],
  [our, their]: [K, K],
  goal?: number,
): Comparison {
  const ratio = median(rounds.map((round) => round[our] / round[their]));
  const [ours, theirs] = [our, their].map((name) => median(rounds.map((round) => round[name])));
  return { what, against, ours: ours ?? 0, theirs: theirs ?? 0, ratio, goal };
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Starts a server of `servers` in a separate process. */
export function startServerProcess(
  file: string,
  given: { args?: string[]; message?: object } = {},
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, "servers", file), given.args ?? [], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  if (given.message) child.send(given.message);
  return new Promise((resolve, reject) => {
    // The process sends one message: its port.
    child.once("message", (ready) => resolve({ child, port: (ready as { port: number }).port }));
    child.once("exit", (code) => reject(new Error(`The server of ${file} ended with ${code}`)));
  });
}
