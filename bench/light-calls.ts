import { setTimeout as sleep } from "node:timers/promises";
import { rawToolCall } from "../test/support/raw-tool-call.ts";
import type { Product } from "./product.ts";

// Latency for a caller of another organization under load.

export const LIGHT_KINDS = ["GET of brands", "tool call"];

/** Milliseconds of calls of each kind until `over` resolves. */
export async function lightCalls({ port, stranger }: Product, over: Promise<unknown>): Promise<number[][]> {
  const { organizationId, workspaceId, path, accessToken, token } = stranger;
  const call = { name: "list_brands", arguments: { organization_id: organizationId, workspace_id: workspaceId } };
  const kinds = [
    () => fetch(`http://localhost:${port}${path}/brands`, { headers: { authorization: `Bearer ${accessToken}` } }),
    () => rawToolCall(`http://localhost:${port}/mcp`, token, call),
  ];
  const ending = new AbortController();
  const ended = over.finally(() => ending.abort());
  const calling = kinds.map(async (ask) => {
    const ms: number[] = [];
    while (!ending.signal.aborted) {
      const started = performance.now();
      await readAnswer(ask());
      ms.push(performance.now() - started);
      await sleep(10);
    }
    return ms;
  });
  const [times] = await Promise.all([Promise.all(calling), ended]);
  return times;
}

/**
 * Prints the idle and loaded 99th percentiles; returns the number of kinds above twice the idle
 * latency.
 */
export function printLightCalls(idle: readonly number[][], beside: readonly number[][]): number {
  let missed = 0;
  for (const [at, what] of LIGHT_KINDS.entries()) {
    const [alone, now] = [quantile(idle[at], 0.99), quantile(beside[at], 0.99)];
    if (now > 2 * alone) missed += 1;
    const ratio = `ratio ${formatNumber(now / alone)}${now > 2 * alone ? " MISSED" : ""}`;
    console.info(`  ${what.padEnd(52)} ${formatNumber(alone)}  ${formatNumber(now)}  ${ratio}`);
  }
  return missed;
}

export async function readAnswer(asked: Promise<Response>): Promise<string> {
  const response = await asked;
  const text = await response.text();
  if (!response.ok) throw new Error(`A measured request was answered: ${text}`);
  return text;
}

export function quantile(values: readonly number[] | undefined, part: number): number {
  const sorted = (values ?? []).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function formatNumber(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0).padStart(7);
}
