import { wordList } from "../shared/words.ts";
import { splitClauses, type Clause } from "./clauses.ts";
import { toHeadNoun } from "./head-nouns.ts";
import type { Passage } from "./passages.ts";
import type { OpinionPoint, Mention } from "../reading/capture.ts";
import { HEDGE_WORDS, INTENSIFIER_WORDS } from "./english-words.ts";
import { normaliseWords, computePolarity } from "./polarity.ts";
import { mentionsWithin } from "../reading/ranks/list-labels.ts";
import { listBrandIds } from "./table-rows.ts";
import { WINNER_PATTERN } from "./stance-words.ts";

interface JudgedClause extends Clause {
  score: number;
  /** True if the brand is recommended for a priority of the reader. */
  isPriority: boolean;
}

/** Text below pro and con headings; if `judged` also clauses by polarity. */
export function findPoints(
  text: string,
  mentions: Mention[],
  passages: readonly Passage[],
  judged: boolean,
): OpinionPoint[] {
  return passages.flatMap((passage) => {
    if (passage.kind === "card" || passage.subjectIds.length === 0) return [];
    if (!judged && passage.heading === null) return [];
    const clauses = judged
      ? mergeClauses(text, mentions, passage)
      : splitClauses(text, passage).map((one) => ({ ...one, score: 0, isPriority: false }));
    return clauses.flatMap((clause) => {
      const polarity = judgePointPolarity(passage, clause, text.slice(clause.start, clause.end));
      if (polarity === null || isBareName(text, mentions, passage, clause)) return [];
      const { start, end } = clause;
      const head = toHeadNoun(text.slice(start, end), judged);
      return findClauseSubjects(mentions, passage, clause).map((brandId) => ({ brandId, start, end, polarity, head }));
    });
  });
}

function judgePointPolarity({ heading }: Passage, { score, isContrast, isPriority }: JudgedClause, words: string) {
  if (isPriority) return "pro";
  if (heading === "pro")
    return score < 0 || (score === 0 && isContrast && /^(?:not|no)\b/i.test(words)) ? "con" : "pro";
  if (heading === "con") return score > 0 && (isContrast || PRAISE_PATTERN.test(words)) ? "pro" : "con";
  if (score === 0) return null;
  return score > 0 ? "pro" : "con";
}

/** Matches praise, such as "the battery is good", which is no con even in a column of cons. */
const PRAISE_PATTERN =
  /\b(?:is|are)\s(?:\w+\s)?(?:good|great|excellent|solid|strong|fine|impressive)\b|\b(?:compelling|strong|great|good|excellent) value\b/i;
/** Matches introductory clauses: "If you have …,", "For its price,". */
const INTRODUCTORY_PATTERN = /^(?:if|when|unless|whether|for|depending|under|in|given|as|that said)\b/i;
/** Matches the purpose of a choice: "if portability is a priority". */
const PRIORITY_PATTERN =
  /\b(?:priorit\p{L}+|your (?:focus|goal|main use|top concern)|matters? most|is critical|lean more toward|focus (?:is|on)|you (?:value|care about))\b/iu;
/** Matches praise of a brand as a whole. */
const OVERALL_PRAISE_PATTERN =
  /\s(?:is|are|would be|looks?|remains?)\s(?:also\s|very\s|extremely\s|a\s|an\s|really\s|still\s|incredibly\s){0,3}(?:great|good|excellent|solid|strong|compelling|attractive|impressive|top-tier|fantastic|superb|fine|best|ideal|perfect|tempting)$|\bstands? out$/u;

/** Clauses with polarity; parts of an enumeration are merged into the clause before. */
function mergeClauses(text: string, mentions: Mention[], passage: Passage): JudgedClause[] {
  const merged: JudgedClause[] = [];
  const clauses = splitClauses(text, passage);
  for (const [i, clause] of clauses.entries()) {
    const words = text.slice(clause.start, clause.end);
    if (
      INTRODUCTORY_PATTERN.test(words) &&
      (i < clauses.length - 1 || /^(?:if|depending)\b/i.test(words)) &&
      !isValuePhrase(words)
    ) {
      if (i === 0 && /^if\b/i.test(words) && PRIORITY_PATTERN.test(words) && !/\bdiffer/i.test(words))
        merged.push({ ...clause, score: 0, isPriority: true });
      continue;
    }
    const score = scoreClause(words, passage);
    if (clause.isIntro && mentionsWithin(mentions, clause.start, clause.end).length > 0) continue;
    if (score === null || (clause.isIntro && (score !== 0 || words.length > MAX_LABEL_LENGTH))) continue;
    const last = merged.at(-1);
    const isLabelled = last?.isIntro === true && last.score === 0;
    const goesOn =
      last !== undefined &&
      clause.isWeak &&
      !last.isPriority &&
      (continuesEnumeration(
        text.slice(last.start, Math.min(last.end, last.start + MAX_CONTEXT_LENGTH)),
        words,
        passage,
        clause,
      ) ||
        isQualifier(last, clause, score));
    if (last && (goesOn || isLabelled)) {
      Object.assign(last, { end: clause.end, isIntro: false, score: last.score === 0 ? score : last.score });
    } else if (!isOverallPraise(mentions, clause, words)) merged.push({ ...clause, score, isPriority: false });
  }
  return merged;
}

const MAX_LABEL_LENGTH = 30;
const MAX_CONTEXT_LENGTH = 200;

/** A limit without blame: "with limited space" in "good for desks with limited space". */
function isQualifier(last: JudgedClause, { isWithClause }: Clause, score: number): boolean {
  return isWithClause && last.score > 0 && score < 0;
}

/** Polarity of a clause; null for a mere pick: "best overall", "a good all-round pick". */
function scoreClause(words: string, { heading }: Passage): number | null {
  const { score } = computePolarity(words.replaceAll(/[“"][^”"]{1,20}[”"]/g, (quoted) => " ".repeat(quoted.length)));
  if (heading === null) return WINNER_PATTERN.test(words) ? null : score;
  if (score !== 0) return score;
  const picked = computePolarity(words, true).score;
  return picked > 0 && !/\b(?:value|all-rounder|allrounder|budget)\b/i.test(words) ? null : picked;
}

/** "For the money" is about value; "for … users" is about no property. */
function isValuePhrase(words: string): boolean {
  return /^for (?:the|its) (?:money|price)\b/i.test(words);
}

/** True for a further item of an enumeration: no judgement, or a noun ("comfort"). */
function continuesEnumeration(before: string, words: string, { heading }: Passage, { isAnd }: Clause): boolean {
  if (isAnd && !/\s/.test(words)) return true;
  if (isStatement(words) || startsWithJudgement(words)) return false;
  // Below a heading each item between commas is a point, unless the clause before governs them.
  return heading === null || isAnd || /\s(?:of|for|in|between|like|such as|on)\s/i.test(before);
}

/** True if its first words judge: "bright screen", "a little louder". */
function startsWithJudgement(words: string): boolean {
  const all = normaliseWords(words.slice(0, 80)).split(/[^\p{L}\d'-]+/u);
  const first = all.findIndex(
    (word) => !SMALL_WORDS.has(word) && !INTENSIFIER_WORDS.has(word) && !HEDGE_WORDS.has(word),
  );
  if (first === -1 || first > 3 || JUDGING_NOUNS.has(all[first] ?? "")) return false;
  return computePolarity(all.slice(0, first + 2).join(" "), true).score !== 0;
}

const SMALL_WORDS = wordList("small_words");
const JUDGING_NOUNS = wordList("judging_nouns");

function isStatement(clause: string): boolean {
  return /\b(?:is|are|was|has|have|will|may|might|can|could|would|gives?|offers?|makes?|works?|stands?|you|it)\b/i.test(
    clause,
  );
}

/** True for a stance without a property: "Acme One is great", "this is top-tier". */
function isOverallPraise(mentions: Mention[], clause: Clause, words: string): boolean {
  if (!OVERALL_PRAISE_PATTERN.test(words)) return false;
  return /^(?:this|it|these|they)\b/i.test(words) || mentionsWithin(mentions, clause.start, clause.end).length > 0;
}

/** True for a bare name of a product, source or label. */
function isBareName(text: string, mentions: Mention[], passage: Passage, clause: JudgedClause): boolean {
  if (clause.score !== 0 || clause.isPriority) return false;
  const words = text.slice(clause.start, clause.end);
  const isStart = mentionsWithin(mentions, clause.start, clause.end).some(({ start }) => start - clause.start < 10);
  if (isStart && words.length < 60 && !isStatement(words)) return true;
  if (/^[^.!?]{0,40}\+\d{1,2}/.test(words) && !/\s\p{Ll}{4}/u.test(words)) return true;
  return words.length < 40 && !/(?:^|\s)\p{Ll}{3}/u.test(words) && (clause.start > passage.start || words.length < 4);
}

/** In a sentence with several brands: those in the clause, else the last one before it. */
function findClauseSubjects(mentions: Mention[], passage: Passage, clause: JudgedClause): readonly string[] {
  if (passage.kind !== "prose" || passage.subjectIds.length < 2) return passage.subjectIds;
  const named = listBrandIds(mentionsWithin(mentions, clause.start, clause.end)).filter((id) =>
    passage.subjectIds.includes(id),
  );
  if (named.length > 0) return named;
  const before = mentionsWithin(mentions, passage.start, clause.start).at(-1);
  return before && passage.subjectIds.includes(before.brand_id) ? [before.brand_id] : passage.subjectIds;
}
