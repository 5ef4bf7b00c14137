import { figureColumn, type Figures } from "./figure-text.ts";
import { isFields, type Fields } from "../mcp-context.ts";

/** Facts about result fields by path, such as `data.excerpt`. */
export interface Known {
  /** Paths of untrusted text. */
  outside: ReadonlySet<string>;
  figures: Figures;
}

/** Rows as a text table: header, then one line per row. `path` is the path of the rows. */
export function tableText(columns: readonly string[], rows: readonly Fields[], known: Known, path: string): string {
  const figures = new Map(columns.map((name) => [name, figureColumn(name, { columns, path }, known.figures)]));
  const told = new Set([...figures.values()].flatMap((figure) => figure?.told ?? []));
  const cells = columns
    .filter((name) => !told.has(name))
    .map((name) => {
      const isOutside = known.outside.has(`${path}.${name}`);
      const figure = figures.get(name);
      return {
        header: figure?.header ?? nameText(name),
        text: figure ? (row: Fields) => figure.cell(row) : (row: Fields) => cellText(row[name], isOutside),
      };
    });
  const lines = rows.map((row) => cells.map(({ text }) => text(row)).join(" | "));
  return [cells.map(({ header }) => header).join(" | "), ...lines].join("\n");
}

/** Object as lines of `field: value`; nested lists of objects become tables. */
export function objectText(value: Fields, known: Known, prefix = ""): string {
  const lines: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix + key;
    const name = prefix + nameText(key);
    if (isRows(inner)) lines.push(`${name} (${inner.length}):`, tableText(columnsOf(inner), inner, known, path));
    else if (isFields(inner)) {
      const below = objectText(inner, known, `${name}.`);
      if (below !== "") lines.push(below);
    } else lines.push(`${name}: ${cellText(inner, known.outside.has(path))}`);
  }
  return lines.join("\n");
}

/**
 * Value on one line that cannot be confused with another cell, line or empty value (`-`). Untrusted
 * text is always quoted, other text only if ambiguous, such as `Note: …`.
 */
function cellText(value: unknown, isOutside = false): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "string" && !isOutside && !NEEDS_QUOTES.test(value)) return value;
  return JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

/** Field name, quoted if unusual, since some names come from users. */
function nameText(name: string): string {
  return /^[\w$]+$/.test(name) ? name : cellText(name, true);
}

const NEEDS_QUOTES = /[\n\r\t\u2028\u2029|"]|:\s|:$|^\s|\s$|^-?$/;

function isRows(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

function columnsOf(rows: readonly Fields[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}
