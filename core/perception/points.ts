import { clausesIn } from "./clauses.ts";
import type { Clause } from "./clauses.ts";
import { headOf } from "./heads.ts";
import type { Passage } from "./passages.ts";
import type { ReadPoint } from "./perception.ts";
import { polarityOf } from "./polarity.ts";
import type { Mention } from "../reading/capture.ts";
import { mentionsWithin } from "../reading/list-labels.ts";
import { idsOf } from "./rows.ts";

interface Judged extends Clause {
  score: number;
}

/** The pros and cons of each brand: what stands under a heading that says so, and where `judged` clauses by their words. */
export function readPoints(
  text: string,
  mentions: Mention[],
  passages: readonly Passage[],
  judged: boolean,
): ReadPoint[] {
  return passages.flatMap((passage) => {
    if (passage.kind === "card" || passage.subjects.length === 0) return [];
    if (!judged && passage.heading === null) return [];
    const clauses = judged
      ? mergedClauses(text, passage)
      : clausesIn(text, passage).map((one) => ({ ...one, score: 0 }));
    return clauses.flatMap((clause) => {
      const polarity = polarityIn(passage, clause);
      if (polarity === null || isName(text, mentions, passage, clause)) return [];
      const { start, end } = clause;
      const head = headOf(text.slice(start, end), judged);
      return subjectsOf(mentions, passage, clause).map((brandId) => ({ brandId, start, end, polarity, head }));
    });
  });
}

function polarityIn({ heading }: Passage, { score, isContrast }: Judged): ReadPoint["polarity"] | null {
  if (heading === "pro") return score < 0 ? "con" : "pro";
  if (heading === "con") return score > 0 && isContrast ? "pro" : "con";
  if (score === 0) return null;
  return score > 0 ? "pro" : "con";
}

/** Clauses with what they say; what only goes on with an enumeration belongs to the clause before it. */
function mergedClauses(text: string, passage: Passage): Judged[] {
  const merged: Judged[] = [];
  for (const clause of clausesIn(text, passage)) {
    const { score } = polarityOf(text.slice(clause.start, clause.end), passage.heading !== null);
    const last = merged.at(-1);
    if (last && clause.isWeak && score === 0 && !isStatement(text.slice(clause.start, clause.end)))
      last.end = clause.end;
    else merged.push({ ...clause, score });
  }
  return merged;
}

/** Says something of its own, not only one thing more. */
function isStatement(clause: string): boolean {
  return /\b(?:is|are|was|has|have|will|may|might|can|could|would|gives?|offers?|makes?|you|it)\b/i.test(clause);
}

/** The name of the product, of a source or of a label alone. */
function isName(text: string, mentions: Mention[], passage: Passage, clause: Judged): boolean {
  if (clause.score !== 0) return false;
  const words = text.slice(clause.start, clause.end);
  const isStart = mentionsWithin(mentions, clause.start, clause.end).some(({ start }) => start - clause.start < 10);
  if (isStart && words.length < 60) return true;
  return words.length < 40 && !/(?:^|\s)\p{Ll}{3}/u.test(words);
}

/** Of several brands in a sentence those that the clause names, else those named last before it. */
function subjectsOf(mentions: Mention[], passage: Passage, clause: Judged): readonly string[] {
  if (passage.kind !== "prose" || passage.subjects.length < 2) return passage.subjects;
  const named = idsOf(mentionsWithin(mentions, clause.start, clause.end)).filter((id) => passage.subjects.includes(id));
  if (named.length > 0) return named;
  const before = mentionsWithin(mentions, passage.start, clause.start).at(-1);
  return before && passage.subjects.includes(before.brand_id) ? [before.brand_id] : passage.subjects;
}
