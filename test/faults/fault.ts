import { expect, test } from "vitest";
import { chooseExtent } from "../support/proof.ts";
import { documentedFaults, type Fault } from "./rows.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The row that this test has provoked. */
    fault?: Fault;
  }
}

/**
 * A test that provokes a fault and states its consequences. `see` records observations of operators
 * and callers: log lines, responses, process output. Its row is quoted in docs/operations.md.
 */
export function fault(
  row: Fault,
  provoke: (see: (text: string) => void) => Promise<void>,
  { timeoutMs = 60_000, runs = true } = {},
): void {
  test.runIf(runs)(`fault: ${row.fault}`, { timeout: timeoutMs }, async ({ task }) => {
    let seen = "";
    await provoke((text) => (seen += `${text}\n`));
    const quotes = [...row.seen.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    expect(quotes.length, "The row quotes nothing that can be seen.").toBeGreaterThan(0);
    for (const quote of quotes) expect(seen).toContain(quote);
    expect(documentedFaults()).toContainEqual(row);
    task.meta.fault = row;
  });
}

/**
 * Like fault, for faults that need processes and seconds; `npm test` covers the code behind.
 * `unless` states why this machine cannot provoke it.
 */
export function longFault(row: Fault, provoke: (see: (text: string) => void) => Promise<void>, unless?: string): void {
  const runs = chooseExtent(true, false);
  if (runs && unless !== undefined) console.info(`Not provoked, because ${unless}: ${row.fault}`);
  fault(row, provoke, { timeoutMs: 300_000, runs: runs && unless === undefined });
}
