import type { Span, Mention } from "../reading/capture.ts";

const LONGEST_ASPECT = 60;
/** How far behind a name its aspect may be said. */
const REACH = 60;
const COMPARATIVE = String.raw`less|fewer|weaker|shorter|worse|more|better|stronger|lower|higher|greater|\p{L}+er`;
const THAN = "than|compared|vs|versus|als|que";

/** "Weaker zoom than". */
const BETWEEN = new RegExp(String.raw`^(?:${COMPARATIVE})\s((?!than\b)[^.;]{3,60}?)\s(?:${THAN})\b`, "iu");
/** "The zoom does not", "its price is". */
const SUBJECT =
  /([\p{L}][\p{L}\s/&'’-]{1,60}?)\s(?:is|are|isn|aren|may|might|can|could|does|doesn|do|don|will|won|remains?)\b[^.;,]{0,40}$/iu;
/** "Price is lower than", where the rule is one of prices. */
const JUDGED = /^(\p{L}+)\s(?:is|are)\s/iu;
/** "Cheaper than", which names a property by itself; "better than" names none. */
const ALONE = /^(\p{L}{2,}er)\s(?:than|als)\b/iu;
const NAMES_NONE =
  /^(?:better|stronger|weaker|lower|higher|greater|rather|other|further|over|later|besser|lieber|weniger|immer)$/i;
/** "On price", "in terms of price", "because of its price", behind the name. */
const BEHIND =
  /^(?:['’]s)?\s(?:in terms of|when it comes to|regarding|because of|thanks to|on|in|for|at)\s(?:(?:the|its|their)\s)?([\p{L}][\p{L}-]*(?:\s(?!and\b|or\b|but\b)[\p{L}-]+){0,2}?)(?=\s(?:and|or|but)\b|[\s*_]*[.,;:!?)]|\s*$)/iu;
/** "When it comes to price, …". */
const LEADING =
  /^[\s*_>-]*(?:on|for|in terms of|when it comes to|regarding|as for)\s(?:(?:the|its|pure|sheer)\s)?([^.,;:]{2,50}),/iu;

/** Where words relate a subject to a name. */
export interface Relation {
  sentence: Span;
  /** Of the words before the name that are looked at. */
  from: number;
  /** The rule's match in them. */
  matched: RegExpExecArray;
  mention: Mention;
  named: readonly Mention[];
}

/**
 * What a comparison is about, in the words of the answer: between a comparative and its yardstick ("weaker zoom than"), before a verb ("the
 * zoom does not match"), the comparative itself ("cheaper than"), behind the yardstick ("beats Acme on price"), or in front of it all ("on
 * price, …"). Null where nothing says it.
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

/** What stands before the verb, without the name whose it is: "Acme's camera", "the camera of Acme". A name alone is no aspect. */
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

/** What stands behind a word of more or less: "more flexible", "fewer extras"; the word itself where nothing does. */
export function aspectAfter(sentence: string, { index, 0: word }: RegExpExecArray): string {
  const more = /^more (.+)$/i.exec(word)?.[1];
  if (more) return more;
  const noun = /^\s+["“'‘]?([\p{L}-]+(?:\s[\p{L}-]+)?)/u.exec(sentence.slice(index + word.length))?.[1];
  return noun ?? word;
}
