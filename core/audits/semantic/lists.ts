import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, passed, skipped, warned, definePageChecks } from "../check.ts";
import { findPlainTextLists } from "../page-facts/plain-text-lists.ts";
import { countNoun, isOrAre } from "../count-noun.ts";

export const LIST_CHECKS = definePageChecks("semantic", [
  {
    id: "lists_marked_up",
    title: "Lists are written as lists",
    weight: 1,
    howToFix: "Write points as li elements within ul, and steps within ol, without typing bullets or numbers.",
    source: SOURCES.HTML_LISTS,
    strength: "practice",
    run({ page }) {
      const typed = findPlainTextLists(page);
      if (typed.length > 0)
        return warned(
          `${countNoun(typed.length, "list")} ${isOrAre(typed.length)} written as paragraphs with bullets or numbers.`,
          typed.map((lines) => createEvidence(page, lines)),
        );
      return page.lists.some(({ isInMain }) => isInMain)
        ? passed("Lists are written as lists.")
        : skipped("The main content has no lists, and no text that looks like one.");
    },
  },
]);
