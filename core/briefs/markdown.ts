import { withoutInvisible } from "../shared/fields.ts";

/** What can be structure anywhere in a line, and `://`, which some readers make a link of. */
const STRUCTURE = /[\\`*_{}[\]()#!|<>~&$@]|:(?=\/\/)/g;
/** Text of others as plain words on one line of Markdown: whatever could be structure, HTML or a link is escaped. */
export function plainWords(text: string, maxLength: number): string {
  const line = withoutInvisible(text).replaceAll(/\s+/g, " ").trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
  return cut
    .replaceAll(STRUCTURE, String.raw`\$&`)
    .replace(/^[-+=]/, String.raw`\$&`)
    .replace(/^(\d+)\./, String.raw`$1\.`);
}

/** Text of others as a quotation, on one line, without the emphasis and the table lines that only show on a screen. */
export function quoted(text: string, maxLength: number): string {
  const bare = text
    .slice(0, 4 * maxLength)
    .replaceAll(/(\*\*|__)(?=\S)(.*?\S)\1/g, "$2")
    .replaceAll(/^\|[-:| \t]+\|$/gm, "")
    .replaceAll(/^\|(.*)\|$/gm, (_row, cells: string) => `${cells.split("|").map(trimmed).join(", ")};`);
  return `> ${plainWords(bare, maxLength)}`;
}

function trimmed(cell: string): string {
  return cell.trim();
}

/** An address of others as a link that shows itself; what is no web address is shown as plain words. */
export function plainLink(url: string): string {
  if (!URL.canParse(url)) return plainWords(url, 300);
  const { protocol, href } = new URL(url);
  const safe = (protocol === "https:" || protocol === "http:") && !/[\s<>`|]/.test(href) && href.length <= 500;
  return safe ? `<${href}>` : plainWords(url, 300);
}

/** Rows of cells as a table. The cells are Markdown already. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [lineOf(head), lineOf(head.map(() => "---")), ...rows.map(lineOf)].join("\n");
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function listOfLines(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
