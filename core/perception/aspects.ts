import type { Span, Mention } from "../reading/capture.ts";

const MAX_ASPECT_LENGTH = 60;
/** Max characters between a name and an aspect after it. */
const MAX_ASPECT_DISTANCE = 60;
const COMPARATIVE_WORDS_SOURCE = String.raw`less|fewer|weaker|shorter|worse|more|better|stronger|lower|higher|greater|\p{L}+er`;
const THAN_WORDS_SOURCE = "than|compared|vs|versus|als|que";

/** Matches an aspect before "than": "weaker zoom than". */
const ASPECT_BEFORE_THAN_PATTERN = new RegExp(
  String.raw`^(?:${COMPARATIVE_WORDS_SOURCE})\s((?!than\b)[^.;]{3,60}?)\s(?:${THAN_WORDS_SOURCE})\b`,
  "iu",
);
/** Matches an aspect as subject: "the zoom does not", "its price is". */
const SUBJECT_PATTERN =
  /([\p{L}][\p{L}\s/&'’-]{1,60}?)\s(?:is|are|isn|aren|may|might|can|could|does|doesn|do|don|will|won|remains?)\b[^.;,]{0,40}$/iu;
/** Matches an aspect as subject of a comparative, for rules about prices: "price is lower than". */
const ASPECT_AS_SUBJECT_PATTERN = /^(\p{L}+)\s(?:is|are)\s/iu;
/** Comparative that names a property, as "cheaper than" does and "better than" does not. */
const LONE_COMPARATIVE_PATTERN = /^(\p{L}{2,}er)\s(?:than|als)\b/iu;
const GENERIC_WORD_PATTERN =
  /^(?:better|stronger|weaker|lower|higher|greater|rather|other|further|over|later|besser|lieber|weniger|immer)$/i;
/** Matches an aspect after the name: "on price", "in terms of price", "because of its price". */
const ASPECT_AFTER_NAME_PATTERN =
  /^(?:['’]s)?\s(?:in terms of|when it comes to|regarding|because of|thanks to|on|in|for|at)\s(?:(?:the|its|their)\s)?([\p{L}][\p{L}-]*(?:\s(?!and\b|or\b|but\b)[\p{L}-]+){0,2}?)(?=\s(?:and|or|but)\b|[\s*_]*[.,;:!?)]|\s*$)/iu;
/** Matches an aspect that opens the sentence: "When it comes to price, …". */
const LEADING_ASPECT_PATTERN =
  /^[\s*_>-]*(?:on|for|in terms of|when it comes to|regarding|as for)\s(?:(?:the|its|pure|sheer)\s)?([^.,;:]{2,50}),/iu;

export interface ComparisonMatch {
  sentence: Span;
  /** Start of the searched words before the name. */
  from: number;
  ruleMatch: RegExpExecArray;
  mention: Mention;
  namedMentions: readonly Mention[];
}

/** Quoted from the answer ("weaker zoom than", "on price, …"); null if no aspect is stated. */
export function findAspect(text: string, relation: ComparisonMatch): string | null {
  const { sentence, ruleMatch, mention } = relation;
  const words = ruleMatch[0].trim();
  const between = ASPECT_BEFORE_THAN_PATTERN.exec(words)?.[1] ?? ASPECT_AS_SUBJECT_PATTERN.exec(words)?.[1];
  if (between) return between.slice(0, MAX_ASPECT_LENGTH);
  const alone = LONE_COMPARATIVE_PATTERN.exec(words)?.[1];
  const behind = text.slice(mention.end, Math.min(sentence.end, mention.end + MAX_ASPECT_DISTANCE));
  const before = text.slice(sentence.start, Math.min(mention.start, sentence.start + MAX_ASPECT_DISTANCE));
  return (
    findSubject(text, relation) ??
    (alone && !GENERIC_WORD_PATTERN.test(alone) ? alone.toLowerCase() : null) ??
    ASPECT_AFTER_NAME_PATTERN.exec(behind)?.[1] ??
    LEADING_ASPECT_PATTERN.exec(before)?.[1] ??
    null
  );
}

/** Subject before the verb: "Acme's camera", "the camera of Acme". A name alone is no aspect. */
function findSubject(text: string, { from, ruleMatch, namedMentions }: ComparisonMatch): string | null {
  const subject = SUBJECT_PATTERN.exec(text.slice(from, from + ruleMatch.index));
  if (!subject?.[1]) return null;
  const start = from + subject.index;
  const within = { start, end: start + subject[1].length };
  const name = namedMentions.findLast((one) => one.start < within.end && one.end > within.start);
  const behind = name ? text.slice(name.end, within.end).replace(/^['’]s?\s/u, "") : subject[1];
  const ahead = name && / (?:of|from|on) (?:the )?$/i.test(text.slice(within.start, name.start));
  const said = ahead ? text.slice(within.start, name.start).replace(/ (?:of|from|on) (?:the )?$/i, "") : behind;
  const isOwned = name === undefined || ahead === true || /^['’]/.test(text.slice(name.end, name.end + 1));
  const words = said.replace(/^(?:(?:the|its|their|also|but|and|although|though|it|they|this)(?:\s|$))+/i, "").trim();
  return isOwned && words.length > 1 ? words.slice(0, MAX_ASPECT_LENGTH) : null;
}

/** "more flexible", "fewer extras"; the comparative itself if nothing follows. */
export function extractComparedAspect(sentence: string, { index, 0: word }: RegExpExecArray): string {
  const more = /^more (.+)$/i.exec(word)?.[1];
  if (more) return more;
  return /^\s+["“'‘]?([\p{L}-]+(?:\s[\p{L}-]+)?)/u.exec(sentence.slice(index + word.length))?.[1] ?? word;
}
