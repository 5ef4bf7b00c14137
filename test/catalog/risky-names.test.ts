import { expect, test } from "vitest";
import { findRiskyNames, ORDINARY_PHRASES_BY_WORD } from "../../core/brands/risky-names.ts";
import { isCommonWord } from "../../core/reading/aliases/common-words.ts";

const brand = (name: string, aliases: string[] = [], excludedPhrases: string[] = []) => ({
  name,
  aliases: aliases.map((text) => ({ text })),
  excludedPhrases,
});
const risks = (of: ReturnType<typeof brand>) => findRiskyNames(of).map(({ path, reason }) => [path, reason]);

test("ordinary words and short names are risky in each field, other names are not", () => {
  expect(risks(brand("Zoom"))).toEqual([["name", "ordinary_word"]]);
  expect(risks(brand("HP", ["Hewlett-Packard", "Shell", "ÉÀ"]))).toEqual([
    ["name", "short"],
    ["aliases.1", "ordinary_word"],
    ["aliases.2", "short"],
  ]);
  expect(risks(brand("Kestrova", ["Zoom Video", "3M2"]))).toEqual([]);
});

test("phrases are proposed until they are excluded, whatever their case", () => {
  const [hint] = findRiskyNames(brand("Zoom", [], ["Optical Zoom"]));
  expect(hint?.excluded_phrases).toContain("zoom lens");
  expect(hint?.excluded_phrases).not.toContain("optical zoom");
  const rest = hint?.excluded_phrases ?? [];
  expect(findRiskyNames(brand("Zoom", [], ["Optical Zoom", ...rest]))[0]?.excluded_phrases).toEqual([]);
});

test("each suggested phrase contains its word, which extraction treats as ordinary", () => {
  for (const [word, phrases] of ORDINARY_PHRASES_BY_WORD) {
    const holds = phrases.filter((phrase) => ` ${phrase} `.includes(` ${word} `));
    expect([word, isCommonWord(word), holds]).toEqual([word, true, phrases]);
    expect(findRiskyNames(brand(word))[0]?.excluded_phrases).toEqual(phrases);
  }
});
