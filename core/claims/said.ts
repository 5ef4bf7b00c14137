import type { Statement } from "./statements.ts";

/** Verdicts of an answer about a fact. */
export const SAID_VERDICTS = ["agreed", "contradicted"] as const;
export type SaidVerdict = (typeof SAID_VERDICTS)[number];

/** Verdict of one statement. */
export interface Said {
  verdict: SaidVerdict;
  statement: Statement;
}

export interface Sentence extends Statement {
  text: string;
}

/** Words of comparisons, wishes and questions, which make a statement uncertain. */
const UNSURE =
  /\b(?:than|unlike|versus|vs|compared|instead of|whereas|rumou?red|expected|upcoming|if you|should you|do you|would|wish)\b|\?\s*$|(?:なら|もし)/iu;

export function isSure({ text }: Sentence): boolean {
  return !UNSURE.test(text);
}
