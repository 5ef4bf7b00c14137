import type { Span, Mention } from "../reading/capture.ts";

const LONGEST_ASPECT = 60;
/** Max distance of an aspect after a name. */
const REACH = 60;
const COMPARATIVE = String.raw`less|fewer|weaker|shorter|worse|more|better|stronger|lower|higher|greater|\p{L}+er`;
const THAN = "than|compared|vs|versus|als|que";

/** "Weaker zoom than". */
const BETWEEN = new RegExp(String.raw`^(?:${COMPARATIVE})\s((?!than\b)[^.;]{3,60}?)\s(?:${THAN})\b`, "iu");
/** "The zoom does not", "its price is". */
const SUBJECT =
  /([\p{L}][\p{L}\s/&'’-]{1,60}?)\s(?:is|are|isn|aren|may|might|can|could|does|doesn|do|don|will|won|remains?)\b[^.;,]{0,40}$/iu;
/** "Price is lower than", for rules about prices. */
const JUDGED = /^(\p{L}+)\s(?:is|are)\s/iu;
/** "Cheaper than" names a property; "better than" does not. */
const ALONE = /^(\p{L}{2,}er)\s(?:than|als)\b/iu;
const NAMES_NONE =
  /^(?:better|stronger|weaker|lower|higher|greater|rather|other|further|over|later|besser|lieber|weniger|immer)$/i;
/** "On price", "in terms of price", "because of its price" after the name. */
const BEHIND =
  /^(?:['’]s)?\s(?:in terms of|when it comes to|regarding|because of|thanks to|on|in|for|at)\s(?:(?:the|its|their)\s)?([\p{L}][\p{L}-]*(?:\s(?!and\b|or\b|but\b)[\p{L}-]+){0,2}?)(?=\s(?:and|or|but)\b|[\s*_]*[.,;:!?)]|\s*$)/iu;
/** "When it comes to price, …". */
const LEADING =
  /^[\s*_>-]*(?:on|for|in terms of|when it comes to|regarding|as for)\s(?:(?:the|its|pure|sheer)\s)?([^.,;:]{2,50}),/iu;

/** A comparison between a subject and a name. */
export interface Relation {
  sentence: Span;
  /** Start of the searched words before the name. */
  from: number;
  /** Match of the rule in these words. */
  matched: RegExpExecArray;
  mention: Mention;
  named: readonly Mention[];
}

/**
 * Aspect of a comparison, quoted from the answer: "weaker zoom than", "the zoom does not match",
 * "cheaper than", "beats Acme on price", "on price, …". Null if none is stated.
 */
export function aspectOf(text: string, relation: Relation): string | null {
  const { sentence, matched, mention } = relation;
  const words = matched[0].trim();
  const between = BETWEEN.exec(words)?.[1] ?? JUDGED.exec(words)?.[1];
  if (between) return between.slice(0, LONGEST_ASPECT);
  const alone = ALONE.exec(words)?.[1];
  const behind = text.slice(mention.end, Math.min(sentence.end, mention.end + REACH));
  const before = text.slice(sentence.start, Math.min(mention.start, sentence.start + REACH));
  return (
    subjectOf(text, relation) ??
    (alone && !NAMES_NONE.test(alone) ? alone.toLowerCase() : null) ??
    BEHIND.exec(behind)?.[1] ??
    LEADING.exec(before)?.[1] ??
    null
  );
}

/**
 * Subject before the verb, without the brand: "Acme's camera", "the camera of Acme". A name alone
 * is no aspect.
 */
function subjectOf(text: string, { from, matched, named }: Relation): string | null {
  const subject = SUBJECT.exec(text.slice(from, from + matched.index));
  if (!subject?.[1]) return null;
  const start = from + subject.index;
  const within = { start, end: start + subject[1].length };
  const name = named.findLast((one) => one.start < within.end && one.end > within.start);
  const behind = name ? text.slice(name.end, within.end).replace(/^['’]s?\s/u, "") : subject[1];
  const ahead = name && / (?:of|from|on) (?:the )?$/i.test(text.slice(within.start, name.start));
  const said = ahead ? text.slice(within.start, name.start).replace(/ (?:of|from|on) (?:the )?$/i, "") : behind;
  const isOwned = name === undefined || ahead === true || /^['’]/.test(text.slice(name.end, name.end + 1));
  const words = said.replace(/^(?:(?:the|its|their|also|but|and|although|though|it|they|this)(?:\s|$))+/i, "").trim();
  return isOwned && words.length > 1 ? words.slice(0, LONGEST_ASPECT) : null;
}

/**
 * Words after a comparative: "more flexible", "fewer extras"; the comparative itself if nothing
 * follows.
 */
export function aspectAfter(sentence: string, { index, 0: word }: RegExpExecArray): string {
  const more = /^more (.+)$/i.exec(word)?.[1];
  if (more) return more;
  const noun = /^\s+["“'‘]?([\p{L}-]+(?:\s[\p{L}-]+)?)/u.exec(sentence.slice(index + word.length))?.[1];
  return noun ?? word;
}
