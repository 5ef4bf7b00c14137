import { expect, test } from "vitest";
import { extent } from "../support/proof.ts";
import { documentedFaults, type Fault } from "./rows.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The row that this test has provoked. */
    fault?: Fault;
  }
}

/**
 * A test that provokes one fault in the service and says what follows: `see` notes what an operator or a caller saw (a log
 * line, an answer, the last words of a process). Its row stands in docs/operations.md word for word.
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
 * The same for a fault that takes processes and seconds, where `npm test` has a test of what is behind it. `unless` says why
 * this machine cannot provoke it.
 */
export function longFault(row: Fault, provoke: (see: (text: string) => void) => Promise<void>, unless?: string): void {
  const runs = extent(true, false);
  if (runs && unless !== undefined) console.info(`Not provoked, because ${unless}: ${row.fault}`);
  fault(row, provoke, { timeoutMs: 300_000, runs: runs && unless === undefined });
}
