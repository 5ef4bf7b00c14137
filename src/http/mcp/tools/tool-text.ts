type Fields = Record<string, unknown>;

/** Rows as a table: the columns once, then a line for each row. */
export function tableText(columns: readonly string[], rows: readonly Fields[]): string {
  const lines = [columns.join(" | ")];
  for (const row of rows) {
    let line = "";
    for (const column of columns)
      line += line === "" && column === columns[0] ? cellText(row[column]) : ` | ${cellText(row[column])}`;
    lines.push(line);
  }
  return lines.join("\n");
}

/** One object as lines of `field: value`; a list of objects in it as a table of its own. */
export function objectText(value: Fields, prefix = ""): string {
  const lines: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const name = prefix + key;
    if (isRows(inner)) {
      lines.push(`${name} (${inner.length}):`, tableText(columnsOf(inner), inner));
    } else if (isFields(inner)) {
      const below = objectText(inner, `${name}.`);
      if (below !== "") lines.push(below);
    } else lines.push(`${name}: ${cellText(inner)}`);
  }
  return lines.join("\n");
}

/** A value in one line that cannot be taken for another cell, another line, or for nothing (`-`). */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "string") return NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value;
  return JSON.stringify(value);
}

const NEEDS_QUOTES = /[\n\r\t|"]|^\s|\s$|^-?$/;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

function columnsOf(rows: readonly Fields[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}
