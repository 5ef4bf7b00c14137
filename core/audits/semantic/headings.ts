import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { countNoun, hasOrHave } from "../count-noun.ts";

export const HEADING_CHECKS = definePageChecks("semantic", [
  {
    id: "one_h1",
    title: "The page has one h1",
    weight: 3,
    howToFix: "Give the page one h1 that names its subject, and make further ones h2.",
    source: SOURCES.HTML_HEADINGS,
    strength: "practice",
    run({ page }) {
      const all = page.headings.filter(({ level, text }) => level === 1 && text !== "");
      if (all.length === 0) return failed("The page has no h1 with text.");
      if (all.length === 1) return passed("The page has one h1.");
      return warned(
        `The page has ${all.length} h1.`,
        all.map((heading) => createEvidence(page, heading)),
      );
    },
  },
  {
    id: "heading_order",
    title: "Headings of the main content skip no level",
    weight: 2,
    howToFix: "Use h2 for sections and h3 for parts of these, whatever their size; style them with CSS.",
    source: SOURCES.WCAG_STRUCTURE,
    strength: "practice",
    run({ page }) {
      const headings = page.headings.filter(({ isInMain, text }) => isInMain && text !== "");
      if (headings.length < 2) return skipped("The main content has fewer than two headings.");
      const jumps = headings.filter((heading, at) => heading.level > (headings[at - 1]?.level ?? heading.level) + 1);
      if (jumps.length === 0) return passed(`${headings.length} headings skip no level.`);
      const evidence = jumps.map((heading) =>
        createEvidence(page, { text: `h${heading.level}: ${heading.text}`, offset: heading.offset }),
      );
      const message = `${jumps.length} of ${headings.length} headings ${jumps.length === 1 ? "skips" : "skip"} a level.`;
      return jumps.length > headings.length / 4 ? failed(message, evidence) : warned(message, evidence);
    },
  },
  {
    id: "heading_text",
    title: "No heading is empty",
    weight: 1,
    howToFix: "Remove headings without text, or give the image in them alternative text. Use CSS for space.",
    source: SOURCES.WCAG_HEADINGS,
    strength: "practice",
    run({ page }) {
      if (page.headings.length === 0) return skipped("The page has no headings.");
      const empty = page.headings.filter(({ text }) => text === "");
      if (empty.length === 0)
        return passed(`${countNoun(page.headings.length, "heading")} ${hasOrHave(page.headings.length)} text.`);
      return warned(
        `${empty.length} of ${countNoun(page.headings.length, "heading")} ${hasOrHave(empty.length)} no text.`,
        empty.map(({ level, offset }) => createEvidence(page, { text: `<h${level}>`, offset })),
      );
    },
  },
]);
