import { withoutInvisible } from "../fields.ts";

const STRUCTURE = /[\\`*_{}[\]()#+\-!|<>~&$=:@]/g;

/** Text of others as plain words on one line of Markdown: whatever could be structure, HTML or a link is escaped. */
export function plainWords(text: string, maxLength: number): string {
  const line = withoutInvisible(text).replaceAll(/\s+/g, " ").trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
  return cut.replaceAll(STRUCTURE, String.raw`\$&`).replace(/^(\d+)\./, String.raw`$1\.`);
}

/** Text of others as a quotation, on one line. */
export function quoted(text: string, maxLength: number): string {
  return `> ${plainWords(text, maxLength)}`;
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
