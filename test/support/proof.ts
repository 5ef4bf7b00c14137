const RUN_WHOLE = process.env["PROOF"] === "whole";

/**
 * How far a proof goes that would hold up every test run: `whole` by its command (`npm run proof`), `small` in
 * `npm test`. The code that proves is the same.
 */
export function extent<T>(whole: T, small: T): T {
  return RUN_WHOLE ? whole : small;
}

/** Prints what a proof measured, where its command runs it. */
export function report(...lines: readonly string[]): void {
  if (RUN_WHOLE) process.stdout.write(`${lines.join("\n")}\n`);
}
