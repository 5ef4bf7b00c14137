import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { countNoun } from "../count-noun.ts";
import { wordingLanguage } from "../page-facts/languages.ts";
import { listBlocksAfterTitle, isPassage } from "../page-facts/passages.ts";
import { countWords } from "../parsing/count-words.ts";
import { splitSentences } from "../page-facts/sentences.ts";
import { skipUnlessPageType } from "./skip-unless-page-type.ts";
import { ANNOUNCING_OPENING_PATTERN, DEFINITION_PATTERN, REFERRING_OPENINGS } from "./wording.ts";

const MIN_PASSAGE_WORDS = 15;
const MAX_PASSAGE_WORDS = 80;
/** Main content before the answer. */
const MAX_WORDS_BEFORE = 60;
/** Passages at the start that are searched for a definition. */
const MAX_DEFINITION_PASSAGES = 3;

export const ANSWER_CHECKS = definePageChecks("content", [
  {
    id: "answer_first",
    title: "The first passage answers",
    weight: 5,
    howToFix: `Begin with a passage of ${MIN_PASSAGE_WORDS} to ${MAX_PASSAGE_WORDS} words that answers the page's question by itself, and put menus, teasers and background after it.`,
    source: SOURCES.BING_ANSWERS,
    strength: "documented_by_an_engine",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["article", "product", "comparison", "documentation", "other"], pageType);
      if (unsuited) return unsuited;
      const blocks = listBlocksAfterTitle(page);
      const first = blocks.findIndex((block) => isPassage(block) && block.wordCount >= MIN_PASSAGE_WORDS);
      const passage = blocks[first];
      if (!passage) return failed(`The main content has no passage of ${MIN_PASSAGE_WORDS} words or more.`);
      const evidence = [createEvidence(page, passage)];
      const before = blocks.slice(0, first).reduce((sum, { wordCount }) => sum + wordCount, 0);
      if (before > MAX_WORDS_BEFORE)
        return warned(`${countNoun(before, "word")} stand before the first passage.`, evidence);
      const [opening = ""] = splitSentences(passage.text);
      if (ANNOUNCING_OPENING_PATTERN.test(opening))
        return warned("The first passage announces an answer and does not give it.", evidence);
      if (/[?？]$/.test(opening)) return warned("The first passage asks instead of answering.", evidence);
      const language = wordingLanguage(page);
      if (language && REFERRING_OPENINGS[language].test(opening))
        return warned("The first passage begins with a word that refers to something else.", evidence);
      if (passage.wordCount > MAX_PASSAGE_WORDS && countWords(opening) > MAX_PASSAGE_WORDS / 2)
        return warned(`The first passage has ${passage.wordCount} words, and its first sentence is long.`, evidence);
      return passed("The first passage stands by itself.");
    },
  },
  {
    id: "definition_first",
    title: "The beginning of the page names its topic",
    weight: 3,
    howToFix:
      'Write near the top one sentence that says what the product or subject is and what it is for: "X is a …".',
    source: SOURCES.BING_ANSWERS,
    strength: "practice",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["product", "documentation"], pageType);
      if (unsuited) return unsuited;
      const language = wordingLanguage(page);
      if (!language) return skipped("The check knows English, German, French, Spanish and Japanese.");
      const passages = listBlocksAfterTitle(page).filter(isPassage).slice(0, MAX_DEFINITION_PASSAGES);
      const [first] = passages;
      if (!first) return failed("The main content has no passage of text.");
      if (passages.some(({ text }) => DEFINITION_PATTERN[language].test(text.slice(0, 2000))))
        return passed("A sentence near the top says what it is about.");
      return warned("No sentence near the top says what the product or subject is.", [createEvidence(page, first)]);
    },
  },
]);
