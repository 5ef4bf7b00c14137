/** A nonlinear or undecidable expression, with the bound that makes it harmless. */
export interface Accepted {
  file: string;
  expression: RegExp;
  /** Max length of its input in UTF-16 code units, enforced by the caller. */
  maxLength: number;
  /** Enforces `maxLength`. */
  reason: string;
  /** Repeated up to `maxLength` by the test that measures the expression. */
  worst: readonly string[];
}

export const ACCEPTED: readonly Accepted[] = [];
