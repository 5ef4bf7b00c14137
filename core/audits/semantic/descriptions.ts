import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { measureDisplayWidth } from "../display-width.ts";
import type { ParsedPage } from "../parsed-page.ts";

const MIN_WIDTH = 50;
const MAX_WIDTH = 170;

const findDescriptions = ({ metas }: ParsedPage) => metas.filter(({ name }) => name === "description");

export const DESCRIPTION_CHECKS = definePageChecks("semantic", [
  {
    id: "description_present",
    title: "The page has one meta description",
    weight: 2,
    howToFix: "Write a meta description that says in one or two sentences what the page answers, and no more than one.",
    source: SOURCES.GOOGLE_SNIPPETS,
    strength: "documented_by_an_engine",
    run({ page }) {
      const descriptions = findDescriptions(page);
      const [first] = descriptions;
      if (!first) return failed("The page has no meta description.");
      const evidence = descriptions.map(({ content, offset }) => createEvidence(page, { text: content, offset }));
      if (descriptions.every(({ content }) => content.trim() === ""))
        return failed("The meta description is empty.", evidence);
      if (descriptions.length > 1) return warned(`The page has ${descriptions.length} meta descriptions.`, evidence);
      return passed("The page has a meta description.");
    },
  },
  {
    id: "description_length",
    title: "The meta description has a suitable length",
    weight: 1,
    howToFix: `Write ${MIN_WIDTH} to ${MAX_WIDTH} characters (half as many in Japanese). Search results cut longer ones.`,
    source: SOURCES.BING_GUIDELINES,
    strength: "practice",
    run({ page }) {
      const description = findDescriptions(page).find(({ content }) => content.trim() !== "");
      if (!description) return skipped("The page has no meta description.");
      const width = measureDisplayWidth(description.content);
      if (width >= MIN_WIDTH && width <= MAX_WIDTH) return passed(`The meta description is ${width} characters wide.`);
      const evidence = [createEvidence(page, { text: description.content, offset: description.offset })];
      return warned(
        `The meta description is ${width} characters wide; ${width < MIN_WIDTH ? "it says little" : "results cut it"}.`,
        evidence,
      );
    },
  },
]);
