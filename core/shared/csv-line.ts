/**
 * Matches positions where a spreadsheet could start a formula: the start of a value, and after
 * separators. Programs that expect semicolons or tabs ignore our commas and quotes; blanks and
 * quotes may precede.
 */
const FORMULA_START_PATTERN =
  /(^|[;\t\r\n])(?='*[ "\v\f\u00A0\u2000-\u200A\u202F\u3000\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * Formats one line of a CSV file (RFC 4180) with all values quoted. Possible formulas get an
 * apostrophe, as do those that have one, so that readers can undo it exactly (docs/exports.md).
 */
export function formatCsvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(formatCell).join(",")}\r\n`;
}

function formatCell(value: string | number | null): string {
  const text = typeof value === "string" ? value.replace(FORMULA_START_PATTERN, "$1'") : String(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}
