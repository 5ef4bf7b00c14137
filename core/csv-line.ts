/** What a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * One line of a CSV file (RFC 4180). Every value is quoted, and one that a spreadsheet would run as a formula has an apostrophe
 * before it.
 */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | null): string {
  const text = String(value ?? "");
  const safe = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
