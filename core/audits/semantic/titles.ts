import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { measureDisplayWidth } from "../display-width.ts";

/** In Latin characters; search results cut longer titles. */
const MIN_WIDTH = 10;
const MAX_WIDTH = 70;

export const TITLE_CHECKS = definePageChecks("semantic", [
  {
    id: "title_present",
    title: "The page has a title",
    weight: 4,
    failureCap: 60,
    howToFix: "Write a title element in the head that names the page's subject and the brand.",
    source: SOURCES.GOOGLE_TITLES,
    strength: "documented_by_an_engine",
    run({ page }) {
      const [first] = page.titles;
      if (!first) return failed("The page has no title element.");
      if (first.text.trim() === "") return failed("The title element is empty.", [createEvidence(page, first)]);
      return passed("The page has a title.");
    },
  },
  {
    id: "title_length",
    title: "The title has a suitable length",
    weight: 1,
    howToFix: `Write a title of ${MIN_WIDTH} to ${MAX_WIDTH} characters (half as many in Japanese), with the most important words first.`,
    source: SOURCES.GOOGLE_TITLES,
    strength: "practice",
    run({ page }) {
      const [first] = page.titles;
      if (!first || first.text.trim() === "") return skipped("The page has no title.");
      const width = measureDisplayWidth(first.text);
      if (width < MIN_WIDTH) return warned(`The title is ${width} characters wide.`, [createEvidence(page, first)]);
      if (width > MAX_WIDTH)
        return warned(`The title is ${width} characters wide; results cut it.`, [createEvidence(page, first)]);
      return passed(`The title is ${width} characters wide.`);
    },
  },
  {
    id: "title_single",
    title: "The page has one title element",
    weight: 1,
    howToFix: "Keep one title element. Templates and plugins that each write one are the usual cause.",
    source: SOURCES.HTML_TITLE,
    strength: "practice",
    run({ page }) {
      if (page.titles.length === 0) return skipped("The page has no title.");
      if (page.titles.length === 1) return passed("The page has one title element.");
      return warned(
        `The page has ${page.titles.length} title elements.`,
        page.titles.map((title) => createEvidence(page, title)),
      );
    },
  },
]);
