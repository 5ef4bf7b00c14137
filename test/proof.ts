const RUN_WHOLE = process.env["PROOF"] === "whole";

/**
 * How far a proof goes that would hold up every test run: `whole` by its command (CONTRIBUTING, "Proofs"), `small` in
 * `npm test`. The code that proves is the same.
 */
export function extent<T>(whole: T, small: T): T {
  return RUN_WHOLE ? whole : small;
}
