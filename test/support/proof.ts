const RUN_WHOLE = process.env["PROOF"] === "whole";

/**
 * The size of a proof: `whole` for its command (`npm run proof`), `small` for `npm test`. Both run
 * the same code.
 */
export function chooseExtent<T>(whole: T, small: T): T {
  return RUN_WHOLE ? whole : small;
}

/** Prints a proof's measurements when its command runs it. */
export function report(...lines: readonly string[]): void {
  if (RUN_WHOLE) process.stdout.write(`${lines.join("\n")}\n`);
}
