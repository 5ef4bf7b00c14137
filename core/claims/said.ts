import type { Statement } from "./statements.ts";

/** What an answer that says something of a fact says. */
export const SAID_VERDICTS = ["agreed", "contradicted"] as const;
export type SaidVerdict = (typeof SAID_VERDICTS)[number];

/** What one statement says of a fact: null where it says nothing of it, or nothing that is sure. */
export interface Said {
  verdict: SaidVerdict;
  statement: Statement;
}

export interface Sentence extends Statement {
  text: string;
}

/** What makes a sentence one of another product, a wish or a question: what it says is not sure. */
const UNSURE =
  /\b(?:than|unlike|versus|vs|compared|instead of|whereas|rumou?red|expected|upcoming|if you|should you|do you|would|wish)\b|\?\s*$|(?:なら|もし)/iu;

export function isSure({ text }: Sentence): boolean {
  return !UNSURE.test(text);
}
