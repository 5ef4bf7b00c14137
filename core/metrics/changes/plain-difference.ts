import type { ChangeRow } from "./change-row.ts";

/** Unadjusted values of a row in the previous run and now, on the scale of the change. */
export interface PlainValues {
  run: number | undefined;
  before: number | null | undefined;
  after: number | null | undefined;
}

/**
 * Names the plain difference to the previous run in `baseline`, if the change has another baseline:
 * otherwise an older rise reads as a rise since the last run.
 */
export function notePlainDifference(
  change: ChangeRow | null,
  { run, before, after }: PlainValues,
  pointsPerUnit: number,
): ChangeRow | null {
  if (change === null || change.delta === null || run === undefined || before == null || after == null) return change;
  if (change.compared_with.length === 1 && change.compared_with[0] === run) return change;
  const difference = after - before;
  const points = Math.abs(difference * pointsPerUnit).toFixed(1);
  const note = `since run ${run} alone ${difference < 0 ? "−" : "+"}${points} points, not tested`;
  return { ...change, baseline: `${change.baseline}; ${note}` };
}
