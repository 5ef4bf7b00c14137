import type { Statement } from "./statements.ts";

export const CLAIM_VERDICTS = ["agreed", "contradicted"] as const;
export type ClaimVerdict = (typeof CLAIM_VERDICTS)[number];

export interface StatementVerdict {
  verdict: ClaimVerdict;
  statement: Statement;
}

export interface Sentence extends Statement {
  text: string;
}

/** Words of comparisons, wishes and questions, after which a statement is not certain. */
const UNCERTAINTY_PATTERN =
  /\b(?:than|unlike|versus|vs|compared|instead of|whereas|rumou?red|expected|upcoming|if you|should you|do you|would|wish)\b|\?\s*$|(?:なら|もし)/iu;

export function isPlainStatement({ text }: Sentence): boolean {
  return !UNCERTAINTY_PATTERN.test(text);
}
