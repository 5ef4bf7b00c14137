import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { wordingLanguage } from "../page-facts/languages.ts";
import { isPassage, mentionsAnyName, getSections } from "../page-facts/passages.ts";
import { countNoun } from "../count-noun.ts";
import { skipUnlessPageType } from "./skip-unless-page-type.ts";
import { isQuestion, REFERRING_OPENINGS } from "./wording.ts";

const MIN_SECTION_WORDS = 40;
const MAX_SECTION_WORDS = 300;
const MAX_PARAGRAPH_WORDS = 150;
/** Repeated paragraphs that still pass. */
const MAX_REPEATED_SHARE = 0.05;
/** Main content with fewer words needs no sections. */
const MIN_WORDS = 200;

export const PASSAGE_CHECKS = definePageChecks("content", [
  {
    id: "question_headings",
    title: "Some headings are readers' questions",
    weight: 2,
    howToFix:
      "Phrase the section headings that answer a question as that question, and answer it in the first sentence below.",
    source: SOURCES.BING_ANSWERS,
    strength: "documented_by_an_engine",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["article", "comparison", "documentation"], pageType);
      if (unsuited) return unsuited;
      const headings = page.headings.filter(
        ({ level, isInMain, text }) => isInMain && text !== "" && (level === 2 || level === 3),
      );
      if (headings.length < 3) return skipped("The main content has fewer than three section headings.");
      const language = wordingLanguage(page);
      const asking = headings.filter(({ text }) => isQuestion(text, language)).length;
      const message = `${asking} of ${headings.length} section headings ${asking === 1 ? "asks" : "ask"} a question.`;
      if (asking * 5 >= headings.length) return passed(message);
      return warned(
        message,
        headings.slice(0, 3).map((heading) => createEvidence(page, heading)),
      );
    },
  },
  {
    id: "extractable_passages",
    title: "Sections can be quoted alone",
    weight: 4,
    howToFix: `Split the text with headings into sections of ${MIN_SECTION_WORDS} to ${MAX_SECTION_WORDS} words that each answer one thing, and split paragraphs of more than ${MAX_PARAGRAPH_WORDS} words.`,
    source: SOURCES.BING_ANSWERS,
    strength: "documented_by_an_engine",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["article", "product", "comparison", "documentation", "other"], pageType);
      if (unsuited) return unsuited;
      if (page.mainWordCount < MIN_WORDS)
        return skipped(`The main content has ${countNoun(page.mainWordCount, "word")}; it needs no sections.`);
      const sections = getSections(page);
      const walls = sections.flatMap(({ blocks }) =>
        blocks.filter(({ kind, wordCount }) => wordCount > MAX_PARAGRAPH_WORDS && kind !== "code" && kind !== "cell"),
      );
      const evidence = walls.map((block) => createEvidence(page, block));
      if (page.mainWordCount > MAX_SECTION_WORDS && !page.headings.some(({ level, isInMain }) => isInMain && level > 1))
        return failed(`The main content has ${page.mainWordCount} words and no section headings.`, evidence);
      const good = sections.filter(({ wordCount }) => wordCount >= MIN_SECTION_WORDS && wordCount <= MAX_SECTION_WORDS);
      const inGood = good.reduce((sum, { wordCount }) => sum + wordCount, 0);
      const all = sections.reduce((sum, { wordCount }) => sum + wordCount, 0);
      const share = Math.round((100 * inGood) / Math.max(1, all));
      const message = `${share} % of the text stands in sections of ${MIN_SECTION_WORDS} to ${MAX_SECTION_WORDS} words.`;
      const badly = sections
        .filter(({ wordCount }) => wordCount > MAX_SECTION_WORDS)
        .flatMap(({ heading }) => (heading ? [createEvidence(page, heading)] : []));
      if (share < 30) return failed(message, [...badly, ...evidence]);
      if (walls.length > 0)
        return warned(
          `${countNoun(walls.length, "paragraph")} of more than ${MAX_PARAGRAPH_WORDS} words; ${message}`,
          evidence,
        );
      return share < 60 ? warned(message, badly) : passed(message);
    },
  },
  {
    id: "entity_clarity",
    title: "Passages name the brand or product they are about",
    weight: 4,
    howToFix:
      'Begin a section with the name of the brand or product instead of "it" or "this", so that it can be understood when quoted alone.',
    source: SOURCES.BING_ANSWERS,
    strength: "documented_by_an_engine",
    run({ page, pageType, brandNames: names }) {
      if (names.length === 0) return skipped("The catalog has no names of an own brand to look for.");
      const blocks = page.blocks.filter(({ isInMain }) => isInMain);
      const inHeadings = page.headings.some(({ isInMain, text }) => isInMain && mentionsAnyName(text, names));
      if (!inHeadings && !blocks.some(({ text }) => mentionsAnyName(text, names))) {
        const message = "The main content names neither the brand nor a product of it.";
        return pageType === "article" || pageType === "other" ? warned(message) : failed(message);
      }
      const language = wordingLanguage(page);
      if (!language) return skipped("The check knows English, German, French, Spanish and Japanese.");
      const openings = getSections(page).flatMap((section) => section.blocks.find(isPassage) ?? []);
      if (openings.length === 0) return skipped("The main content has no passages of text.");
      const unclear = openings.filter(
        ({ text }) => REFERRING_OPENINGS[language].test(text) && !mentionsAnyName(text, names),
      );
      if (unclear.length === 0) return passed(`${countNoun(openings.length, "section")} can be understood alone.`);
      const message = `${unclear.length} of ${countNoun(openings.length, "section")} ${unclear.length === 1 ? "begins" : "begin"} with a word for something that is not named in the passage.`;
      const evidence = unclear.map((block) => createEvidence(page, block));
      return unclear.length * 3 > openings.length ? failed(message, evidence) : warned(message, evidence);
    },
  },
  {
    id: "no_repeated_paragraphs",
    title: "No paragraph is repeated",
    weight: 2,
    howToFix:
      "Keep each paragraph once. Where a page shows the same text for small and large screens, hide one of them with the hidden attribute.",
    source: SOURCES.GOOGLE_CONTENT,
    strength: "practice",
    run({ page }) {
      const paragraphs = page.blocks.filter((block) => block.isInMain && isPassage(block) && block.wordCount >= 12);
      const seen = new Set<string>();
      const repeated = paragraphs.filter(({ text }) => seen.size === seen.add(text.toLowerCase()).size);
      if (paragraphs.length < 2) return skipped("The main content has fewer than two paragraphs.");
      if (repeated.length === 0) return passed("No paragraph is repeated.");
      const message = `${repeated.length} of ${countNoun(paragraphs.length, "paragraph")} ${repeated.length === 1 ? "repeats" : "repeat"} another one.`;
      if (repeated.length < MAX_REPEATED_SHARE * paragraphs.length) return passed(message);
      const evidence = repeated.map((block) => createEvidence(page, block));
      return repeated.length * 4 > paragraphs.length ? failed(message, evidence) : warned(message, evidence);
    },
  },
]);
