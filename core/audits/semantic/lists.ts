import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { evidenceAt, passed, skipped, warned, pageChecks } from "../check.ts";
import { itemsOfText } from "../page-facts/marked-by-hand.ts";
import { counted, is } from "../plural.ts";

export const LIST_CHECKS = pageChecks("semantic", [
  {
    id: "lists_marked_up",
    title: "Lists are written as lists",
    weight: 1,
    howToFix: "Write points as li elements within ul, and steps within ol, without typing bullets or numbers.",
    source: SOURCES.HTML_LISTS,
    strength: "practice",
    run({ page }) {
      const typed = itemsOfText(page);
      if (typed.length > 0)
        return warned(
          `${counted(typed.length, "list")} ${is(typed.length)} written as paragraphs with bullets or numbers.`,
          typed.map((lines) => evidenceAt(page, lines)),
        );
      return page.lists.some(({ isInMain }) => isInMain)
        ? passed("Lists are written as lists.")
        : skipped("The main content has no lists, and no text that looks like one.");
    },
  },
]);
