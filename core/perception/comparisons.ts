import { aspectAfter, aspectOf } from "./aspects.ts";
import {
  BETTER_BEHIND_JA,
  IS_AHEAD,
  COMPARISON_RULES,
  HAS_LESS,
  HAS_MORE,
  NEGATIVE_JA,
  WORSE_BEHIND_JA,
  YARDSTICK,
} from "./comparison-words.ts";
import type { Passage } from "./passages.ts";
import type { ReadComparison, ReadStance, Mention } from "../reading/capture.ts";
import { idsOf } from "./rows.ts";
import { mentionsWithin } from "../reading/ranks/list-labels.ts";

/** Max distance of a comparison before a name. */
const REACH = 110;
const LONGEST_CLAUSE = 400;
/** Joins of names that share a statement: "Acme/Bolt", "Acme or Bolt". */
const JOINED = /^[^.;:()\n]{0,24}?(?:[/,&+]|\b(?:or|and|oder|und|ou|et|o|y)\b)\s?(?:the\s)?(?:[\p{L}\d]+\s)?$/u;

/** Extracts preferences between brands, sentence by sentence. */
export function readComparisons(
  text: string,
  mentions: Mention[],
  passages: readonly Passage[],
  stances: readonly ReadStance[],
): ReadComparison[] {
  return passages.flatMap((passage, i) => {
    if (passage.kind === "card") return [];
    const named = mentionsWithin(mentions, passage.start, passage.end);
    if (named.length === 0) return [];
    const found = [
      ...direct(text, passage, named),
      ...(named.length > MOST_NAMED ? [] : besidePick(text, passage, passages[i - 1], named, stances)),
      ...aheadOfSubject(text, passage, named),
      ...besideOther(text, passage, passages[i - 1], named),
    ];
    return distinct(found);
  });
}

const MOST_NAMED = 12;

function distinct(found: readonly ReadComparison[]): ReadComparison[] {
  const seen = new Map(found.map((one) => [`${one.better} ${one.worse}`, one]));
  return [...seen.values()];
}

/** Comparisons before a name: "quieter than Acme", "does not match Acme/Bolt". */
function direct(text: string, passage: Passage, named: readonly Mention[]): ReadComparison[] {
  const found: ReadComparison[] = [];
  let last: { direction: 1 | -1; aspect: string | null; subjects: readonly string[] } | undefined;
  for (const [i, mention] of named.entries()) {
    const before = named[i - 1];
    const isJoined = last !== undefined && before !== undefined && JOINED.test(text.slice(before.end, mention.start));
    if (!isJoined) last = relationOf(text, passage, named, i);
    if (!last) continue;
    for (const subject of last.subjects) {
      if (subject === mention.brand_id) continue;
      const [better, worse] = last.direction === 1 ? [subject, mention.brand_id] : [mention.brand_id, subject];
      found.push({ better, worse, aspect: last.aspect, start: passage.start, end: passage.end });
    }
  }
  return found;
}

function relationOf(
  text: string,
  passage: Passage,
  named: readonly Mention[],
  i: number,
): { direction: 1 | -1; aspect: string | null; subjects: readonly string[] } | undefined {
  const mention = named[i];
  if (!mention) return undefined;
  const from = Math.max(passage.start, mention.start - REACH);
  const words = text.slice(from, mention.start);
  const japanese = relationBehind(text.slice(mention.end, Math.min(passage.end, mention.end + REACH)));
  const rule = japanese === null ? COMPARISON_RULES.find((one) => one.before.test(words)) : undefined;
  // A yardstick in a column of cons is better, whatever the words.
  const isBlamed = passage.heading === "con" && YARDSTICK.test(words);
  const direction = japanese ?? rule?.direction ?? (isBlamed ? -1 : undefined);
  if (direction === undefined) return undefined;
  const subjects = subjectsOf(text, passage, named, i, japanese !== null);
  const matched = rule?.before.exec(words);
  return {
    direction,
    subjects,
    aspect: matched ? aspectOf(text, { sentence: passage, from, matched, mention, named }) : null,
  };
}

function relationBehind(behind: string): 1 | -1 | null {
  if (BETTER_BEHIND_JA.test(behind)) return -1;
  if (!WORSE_BEHIND_JA.test(behind)) return null;
  return NEGATIVE_JA.test(behind) ? -1 : 1;
}

/**
 * Brands compared with the name: those before it in the sentence, else those of the item; in
 * Japanese those after it.
 */
function subjectsOf(
  text: string,
  passage: Passage,
  named: readonly Mention[],
  i: number,
  isJapanese: boolean,
): readonly string[] {
  const mention = named[i];
  if (!mention) return [];
  const near = Math.max(passage.start, mention.start - LONGEST_CLAUSE);
  const clauseStart = near + text.slice(near, mention.start).lastIndexOf(";") + 1;
  const before = named.slice(0, i).filter(({ start }) => start >= clauseStart);
  if (before.length > 0) return groupBefore(text, before);
  if (isJapanese) return idsOf(named.slice(i + 1, i + 2));
  return passage.subjects.filter((id) => id !== mention.brand_id);
}

/** The last name and names joined to it. */
function groupBefore(text: string, before: readonly Mention[]): string[] {
  const group: Mention[] = [];
  for (const mention of before.toReversed()) {
    const next = group.at(-1);
    if (next && mention.brand_id !== next.brand_id && !JOINED.test(text.slice(mention.end, next.start))) break;
    group.push(mention);
  }
  return idsOf(group);
}

/** Another brand ahead in an item: "Acme still leads in zoom". */
function aheadOfSubject(text: string, passage: Passage, named: readonly Mention[]): ReadComparison[] {
  if (passage.kind === "prose") return [];
  const { start, end } = passage;
  return named
    .filter(({ brand_id, end: from }) => {
      return !passage.subjects.includes(brand_id) && IS_AHEAD.test(text.slice(from, Math.min(end, from + REACH)));
    })
    .flatMap(({ brand_id }) =>
      passage.subjects.map((worse) => ({ better: brand_id, worse, aspect: null, start, end })),
    );
}

/** A preference after a pick: "but if you need more light, Acme is brighter". */
function besidePick(
  text: string,
  passage: Passage,
  before: Passage | undefined,
  named: readonly Mention[],
  stances: readonly ReadStance[],
): ReadComparison[] {
  if (passage.kind !== "prose" || !before) return [];
  const sentence = text.slice(passage.start, Math.min(passage.end, passage.start + 500));
  if (!/^(?:but|however|that said|still)\b/i.test(sentence)) return [];
  const isAfterName = HAS_MORE.exec(sentence);
  if (
    !isAfterName ||
    /\b(?:might|may|could) be (?:the |a )?better\b|\bbetter (?:suited|choice|option|pick|bet|fit|off)\b|\bthan\b/i.test(
      sentence,
    )
  )
    return [];
  const pick = stances.findLast(
    ({ start, stance }) => start < passage.start && passage.start - start < 600 && stance === "winner",
  );
  if (!pick) return [];
  const { start, end } = passage;
  return idsOf(named)
    .filter((id) => id !== pick.brandId)
    .map((better) => ({ better, worse: pick.brandId, aspect: aspectAfter(sentence, isAfterName), start, end }));
}

/**
 * A preference after a statement about one other brand: "Bolt has fewer extras but is more
 * flexible".
 */
function besideOther(
  text: string,
  passage: Passage,
  before: Passage | undefined,
  named: readonly Mention[],
): ReadComparison[] {
  const semicolon = text.slice(passage.start, passage.end).indexOf(";");
  const at = semicolon === -1 ? passage.start : passage.start + semicolon;
  const own = idsOf(named.filter(({ start }) => start >= at));
  const others =
    semicolon === -1
      ? before?.block === passage.block
        ? (before.subjects ?? [])
        : []
      : idsOf(named.filter(({ start }) => start < at));
  const [subject] = own;
  const [other] = others;
  if (passage.kind !== "prose" || own.length !== 1 || others.length !== 1 || !subject || !other || subject === other)
    return [];
  const words = text.slice(at, Math.min(passage.end, at + 400));
  if (/\bthan\b|^\W*(?:if|for)\b/i.test(words)) return [];
  const more = HAS_MORE.exec(words);
  const less = HAS_LESS.exec(words);
  const { start, end } = passage;
  return [
    ...(more ? [{ better: subject, worse: other, aspect: aspectAfter(words, more), start, end }] : []),
    ...(less ? [{ better: other, worse: subject, aspect: aspectAfter(words, less), start, end }] : []),
  ];
}
