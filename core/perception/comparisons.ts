import { extractComparedAspect, findAspect } from "./aspects.ts";
import {
  BETTER_BEFORE_JA_PATTERN,
  AHEAD_AFTER_NAME_PATTERN,
  COMPARISON_RULES,
  COMPARATIVE_LESS_PATTERN,
  COMPARATIVE_MORE_PATTERN,
  NEGATIVE_JA_PATTERN,
  WORSE_AFTER_JA_PATTERN,
  YARDSTICK_PATTERN,
} from "./comparison-words.ts";
import type { Passage } from "./passages.ts";
import type { BrandPreference, MentionStance, Mention } from "../reading/capture.ts";
import { listBrandIds } from "./table-rows.ts";
import { mentionsWithin } from "../reading/ranks/list-labels.ts";

/** Max characters between a comparison and the name after it. */
const MAX_DISTANCE = 110;
const MAX_CLAUSE_LENGTH = 400;
/** Joins of names that share a statement: "Acme/Bolt", "Acme or Bolt". */
const NAME_JOINT_PATTERN =
  /^[^.;:()\n]{0,24}?(?:[/,&+]|\b(?:or|and|oder|und|ou|et|o|y)\b)\s?(?:the\s)?(?:[\p{L}\d]+\s)?$/u;

export function findComparisons(
  text: string,
  mentions: Mention[],
  passages: readonly Passage[],
  stances: readonly MentionStance[],
): BrandPreference[] {
  return passages.flatMap((passage, i) => {
    if (passage.kind === "card") return [];
    const named = mentionsWithin(mentions, passage.start, passage.end);
    if (named.length === 0) return [];
    const found = [
      ...findDirectComparisons(text, passage, named),
      ...(named.length > MAX_NAMED_BRANDS
        ? []
        : findPreferencesAfterPick(text, passage, passages[i - 1], named, stances)),
      ...findBrandsAhead(text, passage, named),
      ...findPreferencesAfterStatement(text, passage, passages[i - 1], named),
    ];
    return removeDuplicates(found);
  });
}

const MAX_NAMED_BRANDS = 12;

function removeDuplicates(found: readonly BrandPreference[]): BrandPreference[] {
  return [...new Map(found.map((one) => [`${one.better} ${one.worse}`, one])).values()];
}

/** Comparisons before a name: "quieter than Acme", "does not match Acme/Bolt". */
function findDirectComparisons(text: string, passage: Passage, mentions: readonly Mention[]): BrandPreference[] {
  const preferences: BrandPreference[] = [];
  let last: { direction: 1 | -1; aspect: string | null; subjectIds: readonly string[] } | undefined;
  for (const [i, mention] of mentions.entries()) {
    const before = mentions[i - 1];
    const isJoined =
      last !== undefined && before !== undefined && NAME_JOINT_PATTERN.test(text.slice(before.end, mention.start));
    if (!isJoined) last = findRelation(text, passage, mentions, i);
    if (!last) continue;
    for (const subject of last.subjectIds) {
      if (subject === mention.brand_id) continue;
      const [better, worse] = last.direction === 1 ? [subject, mention.brand_id] : [mention.brand_id, subject];
      preferences.push({ better, worse, aspect: last.aspect, start: passage.start, end: passage.end });
    }
  }
  return preferences;
}

function findRelation(text: string, passage: Passage, mentions: readonly Mention[], i: number) {
  const mention = mentions[i];
  if (!mention) return undefined;
  const from = Math.max(passage.start, mention.start - MAX_DISTANCE);
  const words = text.slice(from, mention.start);
  const japanese = findJapaneseRelation(text.slice(mention.end, Math.min(passage.end, mention.end + MAX_DISTANCE)));
  const rule = japanese === null ? COMPARISON_RULES.find((one) => one.beforePattern.test(words)) : undefined;
  // The name in a column of cons counts as better, whatever the words.
  const isBlamed = passage.heading === "con" && YARDSTICK_PATTERN.test(words);
  const direction = japanese ?? rule?.direction ?? (isBlamed ? -1 : undefined);
  if (direction === undefined) return undefined;
  const subjectIds = findComparedSubjects(text, passage, mentions, i, japanese !== null);
  const ruleMatch = rule?.beforePattern.exec(words);
  return {
    direction,
    subjectIds,
    aspect: ruleMatch
      ? findAspect(text, { sentence: passage, from, ruleMatch, mention, namedMentions: mentions })
      : null,
  };
}

function findJapaneseRelation(behind: string): 1 | -1 | null {
  if (BETTER_BEFORE_JA_PATTERN.test(behind)) return -1;
  if (!WORSE_AFTER_JA_PATTERN.test(behind)) return null;
  return NEGATIVE_JA_PATTERN.test(behind) ? -1 : 1;
}

/** Brands before the name in the sentence, else those of the item; in Japanese those after it. */
function findComparedSubjects(
  text: string,
  passage: Passage,
  named: readonly Mention[],
  i: number,
  isJapanese: boolean,
): readonly string[] {
  const mention = named[i];
  if (!mention) return [];
  const near = Math.max(passage.start, mention.start - MAX_CLAUSE_LENGTH);
  const clauseStart = near + text.slice(near, mention.start).lastIndexOf(";") + 1;
  const before = named.slice(0, i).filter(({ start }) => start >= clauseStart);
  if (before.length > 0) return groupBefore(text, before);
  if (isJapanese) return listBrandIds(named.slice(i + 1, i + 2));
  return passage.subjectIds.filter((id) => id !== mention.brand_id);
}

/** The last name before the match, with the names joined to it. */
function groupBefore(text: string, before: readonly Mention[]): string[] {
  const group: Mention[] = [];
  for (const mention of before.toReversed()) {
    const next = group.at(-1);
    if (next && mention.brand_id !== next.brand_id && !NAME_JOINT_PATTERN.test(text.slice(mention.end, next.start)))
      break;
    group.push(mention);
  }
  return listBrandIds(group);
}

/** Another brand ahead in an item: "Acme still leads in zoom". */
function findBrandsAhead(text: string, passage: Passage, mentions: readonly Mention[]): BrandPreference[] {
  if (passage.kind === "prose") return [];
  const { start, end } = passage;
  return mentions
    .filter(({ brand_id, end: from }) => {
      return (
        !passage.subjectIds.includes(brand_id) &&
        AHEAD_AFTER_NAME_PATTERN.test(text.slice(from, Math.min(end, from + MAX_DISTANCE)))
      );
    })
    .flatMap(({ brand_id }) =>
      passage.subjectIds.map((worse) => ({ better: brand_id, worse, aspect: null, start, end })),
    );
}

/** A preference after a pick: "but if you need more light, Acme is brighter". */
function findPreferencesAfterPick(
  text: string,
  passage: Passage,
  before: Passage | undefined,
  mentions: readonly Mention[],
  stances: readonly MentionStance[],
): BrandPreference[] {
  if (passage.kind !== "prose" || !before) return [];
  const sentence = text.slice(passage.start, Math.min(passage.end, passage.start + 500));
  if (!/^(?:but|however|that said|still)\b/i.test(sentence)) return [];
  const isAfterName = COMPARATIVE_MORE_PATTERN.exec(sentence);
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
  return listBrandIds(mentions)
    .filter((id) => id !== pick.brandId)
    .map((better) => ({
      better,
      worse: pick.brandId,
      aspect: extractComparedAspect(sentence, isAfterName),
      start,
      end,
    }));
}

/** After a statement about one other brand: "Bolt has fewer extras but is more flexible". */
function findPreferencesAfterStatement(
  text: string,
  passage: Passage,
  before: Passage | undefined,
  mentions: readonly Mention[],
): BrandPreference[] {
  const semicolon = text.slice(passage.start, passage.end).indexOf(";");
  const at = semicolon === -1 ? passage.start : passage.start + semicolon;
  const own = listBrandIds(mentions.filter(({ start }) => start >= at));
  const others =
    semicolon === -1
      ? before?.block === passage.block
        ? (before.subjectIds ?? [])
        : []
      : listBrandIds(mentions.filter(({ start }) => start < at));
  const [subject] = own;
  const [other] = others;
  if (passage.kind !== "prose" || own.length !== 1 || others.length !== 1 || !subject || !other || subject === other)
    return [];
  const words = text.slice(at, Math.min(passage.end, at + 400));
  if (/\bthan\b|^\W*(?:if|for)\b/i.test(words)) return [];
  const more = COMPARATIVE_MORE_PATTERN.exec(words);
  const less = COMPARATIVE_LESS_PATTERN.exec(words);
  const { start, end } = passage;
  return [
    ...(more ? [{ better: subject, worse: other, aspect: extractComparedAspect(words, more), start, end }] : []),
    ...(less ? [{ better: other, worse: subject, aspect: extractComparedAspect(words, less), start, end }] : []),
  ];
}
