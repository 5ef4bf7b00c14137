import { removeInvisible } from "../shared/fields.ts";

/** Characters with meaning anywhere in a line of Markdown, and `://`, which some renderers link. */
const MARKDOWN_SYNTAX_PATTERN = /[\\`*_{}[\]()#!|<>~&$@]|:(?=\/\/)/g;
/** Escapes untrusted text as plain words on one line of Markdown. */
export function escapeText(text: string, maxLength: number): string {
  const line = removeInvisible(text).replaceAll(/\s+/g, " ").trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
  return cut
    .replaceAll(MARKDOWN_SYNTAX_PATTERN, String.raw`\$&`)
    .replace(/^[-+=]/, String.raw`\$&`)
    .replace(/^(\d+)\./, String.raw`$1\.`);
}

/** Quotes untrusted text on one line, without emphasis and table rules. */
export function quoteText(text: string, maxLength: number): string {
  const bare = text
    .slice(0, 4 * maxLength)
    .replaceAll(/(\*\*|__)(?=\S)(.*?\S)\1/g, "$2")
    .replaceAll(/^\|[-:| \t]+\|$/gm, "")
    .replaceAll(
      /^\|(.*)\|$/gm,
      (_row, cells: string) =>
        `${cells
          .split("|")
          .map((cell) => cell.trim())
          .join(", ")};`,
    );
  return `> ${escapeText(bare, maxLength)}`;
}

/** Link to an untrusted address that shows the address; other text becomes plain words. */
export function formatLink(url: string): string {
  if (!URL.canParse(url)) return escapeText(url, 300);
  const { protocol, href } = new URL(url);
  const safe = (protocol === "https:" || protocol === "http:") && !/[\s<>`|]/.test(href) && href.length <= 500;
  return safe ? `<${href}>` : escapeText(url, 300);
}

/** Markdown table; cells must already be Markdown. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [formatRow(head), formatRow(head.map(() => "---")), ...rows.map(formatRow)].join("\n");
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function formatList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
