type Fields = Record<string, unknown>;

/** Where text from outside stands in a result: paths from its root, such as `data.excerpt`. */
type Outside = ReadonlySet<string>;

/** Rows as a table: the columns once, then a line for each row. `path` is where the rows are. */
export function tableText(columns: readonly string[], rows: readonly Fields[], outside: Outside, path: string): string {
  const quoted = columns.map((column) => outside.has(`${path}.${column}`));
  const lines = [columns.map(nameText).join(" | ")];
  for (const row of rows) {
    let line = "";
    for (const [at, column] of columns.entries()) line += (at === 0 ? "" : " | ") + cellText(row[column], quoted[at]);
    lines.push(line);
  }
  return lines.join("\n");
}

/** One object as lines of `field: value`; a list of objects in it as a table of its own. */
export function objectText(value: Fields, outside: Outside, prefix = ""): string {
  const lines: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix + key;
    const name = prefix + nameText(key);
    if (isRows(inner)) lines.push(`${name} (${inner.length}):`, tableText(columnsOf(inner), inner, outside, path));
    else if (isFields(inner)) {
      const below = objectText(inner, outside, `${name}.`);
      if (below !== "") lines.push(below);
    } else lines.push(`${name}: ${cellText(inner, outside.has(path))}`);
  }
  return lines.join("\n");
}

/**
 * A value in one line that cannot be taken for another cell, another line, or for nothing (`-`). What came from outside is
 * always between quotation marks; any other text is where it could be taken for a line of ours, such as `Note: …`.
 */
function cellText(value: unknown, isOutside = false): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "string" && !isOutside && !NEEDS_QUOTES.test(value)) return value;
  return JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

/** The name of a field. Some are chosen by people. */
function nameText(name: string): string {
  return /^[\w$]+$/.test(name) ? name : cellText(name, true);
}

const NEEDS_QUOTES = /[\n\r\t\u2028\u2029|"]|:\s|:$|^\s|\s$|^-?$/;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

function columnsOf(rows: readonly Fields[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}
