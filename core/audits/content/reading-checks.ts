import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { wordingLanguage, type KnownLanguage } from "../page-facts/languages.ts";
import type { PageType } from "../page-type.ts";
import type { LocatedText, ParsedPage } from "../parsed-page.ts";
import { countWords } from "../parsing/count-words.ts";
import { isPassage } from "../page-facts/passages.ts";
import { countNoun } from "../count-noun.ts";
import { splitSentences } from "../page-facts/sentences.ts";
import { skipUnlessPageType } from "./skip-unless-page-type.ts";

/** Words per sentence (Japanese: characters); `long` is the min letters of a long word. */
const SENTENCE_LENGTHS: Readonly<Record<KnownLanguage, { good: number; poor: number; long: number }>> = {
  en: { good: 20, poor: 28, long: 13 },
  de: { good: 18, poor: 25, long: 18 },
  fr: { good: 22, poor: 30, long: 14 },
  es: { good: 24, poor: 32, long: 14 },
  ja: { good: 55, poor: 85, long: Infinity },
};
const MAX_LONG_WORD_SHARE = 0.08;
const MIN_WORDS = 80;
const MAX_SENTENCES = 500;

const MIN_WORDS_BY_TYPE: Readonly<Record<PageType, readonly [thin: number, empty: number]>> = {
  article: [300, 100],
  comparison: [300, 100],
  documentation: [100, 40],
  product: [100, 40],
  category: [50, 15],
  home: [80, 25],
  other: [80, 25],
};

export const READING_CHECKS = definePageChecks("content", [
  {
    id: "readability",
    title: "Sentences are short enough to be read and quoted",
    weight: 2,
    howToFix: "Split long sentences, one statement in each, and replace long words where a short one says the same.",
    source: SOURCES.WCAG_READING,
    strength: "practice",
    run({ page }) {
      const language = wordingLanguage(page);
      if (!language) return skipped("The check knows English, German, French, Spanish and Japanese.");
      const { sentences, words, long } = measureSentences(page, language);
      if (words < MIN_WORDS || sentences.length === 0)
        return skipped("The main content has too few sentences to judge.");
      const { good, poor } = SENTENCE_LENGTHS[language];
      const mean = Math.round(sentences.reduce((sum, { length }) => sum + length, 0) / sentences.length);
      const message = `Sentences have ${mean} ${language === "ja" ? "characters" : "words"} on average; ${Math.round((100 * long) / words)} % of words are long.`;
      const longest = sentences.toSorted((one, other) => other.length - one.length).slice(0, 3);
      const evidence = longest.map((sentence) => createEvidence(page, sentence));
      if (mean > poor) return failed(message, evidence);
      return mean > good || long > MAX_LONG_WORD_SHARE * words ? warned(message, evidence) : passed(message);
    },
  },
  {
    id: "enough_text",
    title: "The main content has enough text to answer from",
    weight: 4,
    failureCap: 40,
    howToFix:
      "Write what readers of this page ask: what it is, for whom, how it works, what it costs. Text in images or loaded by scripts does not count.",
    source: SOURCES.GOOGLE_CONTENT,
    strength: "practice",
    run({ page, pageType }) {
      if (page.isLikelyAppShell) return skipped("The page is filled by scripts, which were not run.");
      const [thin, empty] = MIN_WORDS_BY_TYPE[pageType];
      const message = `The main content has ${countNoun(page.mainWordCount, "word")}.`;
      if (page.mainWordCount < empty) return failed(message);
      return page.mainWordCount < thin ? warned(message) : passed(message);
    },
  },
  {
    id: "comparison_table",
    title: "A comparison has a table",
    weight: 3,
    howToFix: "Put the comparison into a table with header cells: one row per property, one column per product.",
    source: SOURCES.GOOGLE_CONTENT,
    strength: "practice",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["comparison"], pageType);
      if (unsuited) return unsuited;
      const tables = page.tables.filter(
        ({ isInMain, isLayout, rowCount, columnCount }) => isInMain && !isLayout && rowCount > 1 && columnCount > 1,
      );
      const [first] = tables;
      if (!first) return failed("The main content has no table.");
      if (tables.some(({ hasHeader, rowCount, columnCount }) => hasHeader && rowCount > 2 && columnCount > 1))
        return passed("The main content has a comparison table.");
      return warned("The tables have no header cells or fewer than three rows.", [
        createEvidence(page, {
          text: `table of ${first.rowCount} rows and ${first.columnCount} columns`,
          offset: first.offset,
        }),
      ]);
    },
  },
]);

function measureSentences({ blocks }: ParsedPage, language: KnownLanguage) {
  const sentences: (LocatedText & { length: number })[] = [];
  let [words, long] = [0, 0];
  for (const block of blocks) {
    if (sentences.length >= MAX_SENTENCES) break;
    if (!block.isInMain || block.kind !== "paragraph" || !isPassage(block)) continue;
    for (const text of splitSentences(block.text)) {
      const count = countWords(text);
      sentences.push({ text, offset: block.offset, length: language === "ja" ? text.length : count });
      words += count;
      for (const word of text.split(/\s+/))
        if (word.length >= SENTENCE_LENGTHS[language].long && /^\p{L}+[.,;:!?]?$/u.test(word)) long += 1;
    }
  }
  return { sentences, words, long };
}
