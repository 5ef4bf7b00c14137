import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { findPlainTextTables } from "../page-facts/plain-text-lists.ts";
import { countNoun, hasOrHave, isOrAre } from "../count-noun.ts";

export const TABLE_CHECKS = definePageChecks("semantic", [
  {
    id: "table_headers",
    title: "Tables have header cells",
    weight: 2,
    howToFix:
      'Write the cells that name columns or rows as th, and give the table a caption. Tables for layout get role="presentation".',
    source: SOURCES.WCAG_STRUCTURE,
    strength: "practice",
    run({ page }) {
      const tables = page.tables.filter(
        ({ rowCount, columnCount, isLayout }) => !isLayout && rowCount > 1 && columnCount > 1,
      );
      if (tables.length === 0) return skipped("The page has no tables of data.");
      const without = tables.filter(({ hasHeader }) => !hasHeader);
      if (without.length === 0)
        return passed(`${countNoun(tables.length, "table")} ${hasOrHave(tables.length)} header cells.`);
      const message = `${without.length} of ${countNoun(tables.length, "table")} ${hasOrHave(without.length)} no header cells.`;
      const evidence = without.map(({ rowCount, columnCount, offset }) =>
        createEvidence(page, { text: `table of ${rowCount} rows and ${columnCount} columns`, offset }),
      );
      return without.length === tables.length ? failed(message, evidence) : warned(message, evidence);
    },
  },
  {
    id: "tables_marked_up",
    title: "Tables are written as tables",
    weight: 2,
    howToFix:
      "Write rows and columns as a table element; text that is aligned with bars or spaces cannot be read as one.",
    source: SOURCES.HTML_TABLES,
    strength: "practice",
    run({ page }) {
      const typed = findPlainTextTables(page);
      if (typed.length > 0)
        return warned(
          `${countNoun(typed.length, "table")} ${isOrAre(typed.length)} written as text.`,
          typed.map((lines) => createEvidence(page, lines)),
        );
      return page.tables.some(({ isLayout }) => !isLayout)
        ? passed("Tables are written as tables.")
        : skipped("The page has no tables, and no text that looks like one.");
    },
  },
]);
