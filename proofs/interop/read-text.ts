// Parses a tool's text as a model reads it in a text-only assistant: the fields, and the table if
// there is one.

/** The facts that `mainJob` needs from a text: `key: value` lines, and table rows as `data`. */
export function readText(text: string): Record<string, unknown> {
  const lines = text.split("\n");
  const fields: Record<string, unknown> = {};
  for (const line of lines) {
    const [, key, value] = /^([a-z_]+): (.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields[key] = plain(value);
  }
  const at = lines.findIndex((line) => line.includes(" | ") && line.split(" | ").every((cell) => HEADER.test(cell)));
  if (at === -1) return fields;
  const columns = lines[at]?.split(" | ").map((cell) => cell.replace(HEADER, "$1")) ?? [];
  const rows = lines.slice(at + 1).map((line) => line.split(" | "));
  const end = rows.findIndex((cells) => cells.length !== columns.length);
  const data = rows
    .slice(0, end === -1 ? undefined : end)
    .map((cells) => Object.fromEntries(columns.map((column, index) => [column, plain(cells[index] ?? "-")])));
  return { ...fields, data };
}

/** A column, with the words in brackets that explain its cells. */
const HEADER = /^([a-z_]+)(?: \(.*\))?$/;

function plain(cell: string): unknown {
  if (cell === "-") return null;
  return /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
