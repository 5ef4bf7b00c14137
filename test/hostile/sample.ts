import * as fc from "fast-check";
import type { Row } from "./rows.ts";

/** Rows drawn of each kind; one in so many, and at least MIN_OF_A_KIND. */
const ONE_IN = 25;
const MIN_OF_A_KIND = 6;

/** The rows that are always sent, and some of each kind, drawn by a seed, in the order of the table. */
export function sampleOf(rows: readonly Row[], seed: number): Row[] {
  const kinds = new Set(rows.map(({ kind }) => kind));
  const drawn = [...kinds].flatMap((one) => {
    const ofKind = rows.filter(({ kind }) => kind === one);
    const count = Math.min(ofKind.length, Math.max(MIN_OF_A_KIND, Math.ceil(ofKind.length / ONE_IN)));
    const some = fc.shuffledSubarray(ofKind, { minLength: count, maxLength: count });
    return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
  });
  const sent = new Set([...drawn, ...rows.filter(({ always }) => always)]);
  return rows.filter((row) => sent.has(row));
}
