import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import {
  MAX_EVIDENCE,
  createEvidence,
  failed,
  passed,
  skipped,
  warned,
  type CheckEvidence,
  definePageChecks,
} from "../check.ts";
import type { ParsedPage } from "../parsed-page.ts";
import { countNoun, isOrAre } from "../count-noun.ts";
import { hasRichResult } from "../structured-data/find-rich-result-faults.ts";
import { readValidatedData } from "../structured-data/read-structured-data.ts";
import type { IssueCode, StructuredIssue, StructuredItem } from "../structured-data/structured-item.ts";
import { listExpectedTypes, fitsPageType } from "../structured-data/suggest-page-types.ts";

/** Issues of blocks that cannot be read or have no vocabulary. */
const UNREADABLE_ISSUES: ReadonlySet<IssueCode> = new Set([
  "not_json",
  "nested_too_deep",
  "not_an_object",
  "no_context",
]);
/** Issues about rich results and limits. */
const NON_VALUE_ISSUES: ReadonlySet<IssueCode> = new Set([
  ...UNREADABLE_ISSUES,
  "too_many_items",
  "missing_required",
  "missing_recommended",
]);

export const STRUCTURED_DATA_CHECKS = definePageChecks("semantic", [
  {
    id: "structured_data_present",
    title: "Structured data names the page's subject",
    weight: 2,
    howToFix: "Describe the subject of the page in a JSON-LD block with the schema.org vocabulary.",
    source: SOURCES.GOOGLE_STRUCTURED_DATA,
    strength: "documented_by_an_engine",
    run({ page }) {
      const items = findDescribedItems(page);
      if (items.length > 0) return passed(`The page describes ${countNoun(items.length, "item")} in structured data.`);
      if (page.jsonLd.length === 0 && page.microdata.length === 0) return warned("The page has no structured data.");
      return warned("The page's structured data describes nothing in the vocabulary of schema.org.");
    },
  },
  {
    id: "structured_data_parses",
    title: "Every block of structured data can be parsed",
    weight: 3,
    howToFix:
      'Fix the block where it stops being JSON, and begin it with "@context": "https://schema.org". Generate it with a JSON library instead of a text template.',
    source: SOURCES.GOOGLE_STRUCTURED_DATA_POLICIES,
    strength: "documented_by_an_engine",
    run({ page }) {
      if (page.jsonLd.length === 0) return skipped("The page has no blocks of JSON-LD.");
      const unread = readValidatedData(page).issues.filter(({ code }) => UNREADABLE_ISSUES.has(code));
      if (unread.length === 0)
        return passed(`The page has ${countNoun(page.jsonLd.length, "block")} of JSON-LD that can be read.`);
      return failed(
        `Structured data cannot be read in ${countNoun(unread.length, "place")}.`,
        toEvidence(page, unread),
      );
    },
  },
  {
    id: "structured_data_valid",
    title: "Structured data has types, properties and values that schema.org knows",
    weight: 2,
    howToFix:
      "Write types and properties as schema.org spells them, and dates, numbers, addresses and codes in their standard forms.",
    source: SOURCES.SCHEMA_ORG,
    strength: "practice",
    run({ page }) {
      if (findDescribedItems(page).length === 0) return skipped("The page describes nothing in structured data.");
      const issues = readValidatedData(page).issues.filter(({ code }) => !NON_VALUE_ISSUES.has(code));
      const errors = issues.filter(({ severity }) => severity === "error");
      if (errors.length > 0)
        return failed(`Structured data has ${countNoun(errors.length, "error")}.`, toEvidence(page, errors));
      if (issues.length > 0)
        return warned(`Structured data has ${countNoun(issues.length, "doubtful value")}.`, toEvidence(page, issues));
      return passed("Structured data is valid.");
    },
  },
  {
    id: "structured_data_fits_type",
    title: "Structured data fits the type of page",
    weight: 2,
    howToFix:
      "Describe the page's subject itself, by the most specific type that fits: an article as Article, a product as Product, a list as ItemList.",
    source: SOURCES.GOOGLE_STRUCTURED_DATA_POLICIES,
    strength: "documented_by_an_engine",
    run({ page, pageType }) {
      const items = findDescribedItems(page);
      if (items.length === 0) return skipped("The page describes nothing in structured data.");
      const expected = listExpectedTypes(pageType);
      if (expected.length === 0) return skipped("No type is expected of a page of this type.");
      if (fitsPageType(items, pageType)) return passed(`Structured data describes a page of type ${pageType}.`);
      const tops = items.filter(({ isTopLevel }) => isTopLevel);
      return warned(
        `A page of type ${pageType} should describe one of: ${expected.slice(0, 3).join(", ")} or the like. Its structured data does not.`,
        tops.map(({ types, offset }) => createEvidence(page, { text: types.join(", "), offset })),
      );
    },
  },
  {
    id: "structured_data_rich_result",
    title: "Structured data has what rich results require",
    weight: 1,
    howToFix:
      "Add the properties that are missing, with what the page shows; leave an item out rather than making values up.",
    source: SOURCES.GOOGLE_RICH_RESULTS,
    strength: "documented_by_an_engine",
    run({ page }) {
      if (!findDescribedItems(page).some(hasRichResult))
        return skipped("The page describes nothing that is shown as a rich result.");
      const issues = readValidatedData(page).issues.filter(({ code }) => code === "missing_required");
      const errors = issues.filter(({ severity }) => severity === "error");
      if (errors.length > 0) {
        return failed(
          `${countNoun(errors.length, "value")} that rich results require ${isOrAre(errors.length)} missing.`,
          toEvidence(page, errors),
        );
      }
      if (issues.length > 0) {
        return warned(
          `${countNoun(issues.length, "value")} that former rich results required ${isOrAre(issues.length)} missing.`,
          toEvidence(page, issues),
        );
      }
      const more = readValidatedData(page).issues.filter(({ code }) => code === "missing_recommended").length;
      const recommended = more === 0 ? "" : ` ${more} more ${isOrAre(more)} recommended.`;
      return passed(`Structured data has every property that rich results require.${recommended}`);
    },
  },
]);

function findDescribedItems(page: ParsedPage): StructuredItem[] {
  return readValidatedData(page).items.filter(({ isForeign, types }) => !isForeign && types.length > 0);
}

/** Placed at the start of the item. */
function toEvidence(page: ParsedPage, issues: readonly StructuredIssue[]): CheckEvidence[] {
  return issues.slice(0, MAX_EVIDENCE).map(({ type, property, message, offset }) => {
    const place = [type, property].filter((part) => part !== null).join(".");
    return createEvidence(page, { text: place === "" ? message : `${place.slice(0, 100)}: ${message}`, offset });
  });
}
