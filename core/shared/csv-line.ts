/**
 * Positions where a spreadsheet could start a formula: the start of a value, and after a character that may separate fields or
 * lines. A program that expects semicolons or tabs between fields ignores our commas and quotes; blanks and quotes may come first.
 */
const FORMULA_START =
  /(^|[;\t\r\n])(?='*[ "\v\f\u00A0\u2000-\u200A\u202F\u3000\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * One line of a CSV file (RFC 4180), every value quoted. Text that could start a formula gets an apostrophe there, also if one is
 * there already, so that reading can be exact (docs/exports.md).
 */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | null): string {
  const text = typeof value === "string" ? value.replace(FORMULA_START, "$1'") : String(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}
