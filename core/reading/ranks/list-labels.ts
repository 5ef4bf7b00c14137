import type { Mention } from "../capture.ts";

/** Ordered by `start`. A brand's rank is the position of the first item about it. */
export interface AnswerList {
  start: number;
  /** Number of positions; brands named outside the list rank after them. */
  length: number;
  items: ListItem[];
}

export interface ListItem {
  /** 1-based; the written number in a consistently numbered list. */
  position: number;
  subjects: Mention[];
}

/** `isDirect` is false after a category label ("Best overall: …"), which is weaker evidence. */
export interface ItemLabel {
  subjects: Mention[];
  isDirect: boolean;
}

const NO_LABEL: ItemLabel = { subjects: [], isDirect: false };

/** Matches the end of a label: a dash, colon, arrow, sentence end or line break. */
const SEPARATOR = /\s[—–-]{1,2}\s|—|:(?:\*\*|__)?(?=\s|$)|→|(?<=[a-z)\d])[.!?]\s(?=\p{Lu})|\n+/u;
const MAX_LABEL_LENGTH = 100;
const MAX_BARE_LABEL_LENGTH = 80;
const MAX_CATEGORY_LENGTH = 60;

/** Words allowed before the name in a label; any other lower-case word makes it a statement. */
const LEAD_WORDS = new Set(
  "the a an new all-new best overall top pick budget value premium runner-up my our favorite favourite winner der die das le la les il el".split(
    " ",
  ),
);

/** Mentions wholly within a span; `mentions` is ascending. */
export function mentionsWithin(mentions: Mention[], start: number, end: number): Mention[] {
  let low = 0;
  let high = mentions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((mentions[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while ((mentions[last]?.end ?? Infinity) <= end) last += 1;
  return mentions.slice(low, last);
}

/** Brands that an item is about. `start` to `end` is the item without its marker. */
export function findLabel(text: string, mentions: Mention[], start: number, end: number): ItemLabel {
  const item = text.slice(start, Math.min(end, start + 400));
  const separator = SEPARATOR.exec(item);
  const firstEnd = separator ? separator.index : item.length;
  const longest = separator && separator[0].trim() !== "." ? MAX_LABEL_LENGTH : MAX_BARE_LABEL_LENGTH;
  const first = firstEnd <= longest ? findSubjects(text, mentions, start, start + firstEnd) : [];
  if (first.length > 0) return { subjects: first, isDirect: true };
  if (!separator || firstEnd > MAX_CATEGORY_LENGTH) return NO_LABEL;
  if (mentionsWithin(mentions, start, start + firstEnd).length > 0) return NO_LABEL;
  const secondStart = firstEnd + separator[0].length;
  const second = SEPARATOR.exec(item.slice(secondStart));
  const secondEnd = second ? secondStart + second.index : item.length;
  // Takes a short line below a heading as a name, and a long one as the item's text.
  const isText = separator[0].includes("\n") && secondEnd - secondStart > MAX_BARE_LABEL_LENGTH;
  if (isText) return NO_LABEL;
  return { subjects: findSubjects(text, mentions, start + secondStart, start + secondEnd), isDirect: false };
}

/** The first brand near the start of the span, and brands joined to it ("A / B", "A or B"). */
export function findSubjects(text: string, mentions: Mention[], start: number, end: number): Mention[] {
  const [first, ...rest] = mentionsWithin(mentions, start, end);
  if (!first || !isLeadToName(text.slice(start, first.start))) return [];
  return collectJoined(text, first, rest);
}

/** The mention `first`, with the following mentions of its brand or of joined brands. */
export function collectJoined(text: string, first: Mention, following: Mention[]): Mention[] {
  const subjects = [first];
  let last = first;
  for (const mention of following) {
    const between = text.slice(last.end, mention.start);
    const joined = /^(?:[^.;:()\n]|\.(?=\S)){0,40}(?:[/,&+]|\b(?:or|and|vs\.?|und|oder|et|ou|y|o))\s*(?:the\s+)?$/.test(
      between,
    );
    const isTied = joined || between === "–";
    if (!isTied && mention.brand_id !== last.brand_id && between.trim() !== "") break;
    subjects.push(mention);
    last = mention;
  }
  return subjects;
}

function isLeadToName(before: string): boolean {
  const words = before.split(/[\s*_[\]"“”'>`#|]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.length <= 4 && words.every((word) => !/^\p{Ll}/u.test(word) || LEAD_WORDS.has(word));
}
