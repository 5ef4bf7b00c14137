import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A node of parse5's tree, as far as it is looked at. */
interface Node {
  nodeName: string;
  value?: string;
  attrs?: readonly { name: string; value: string }[];
  childNodes?: readonly Node[];
}
type Parse = (html: string) => Node;

/** Facts compared between two parsers. Text is without white space. */
export interface PageReading {
  titles: string[];
  headings: string[];
  links: string[];
  /** Rows, and cells of the longest row, of each table. */
  tables: string[];
  /** Items of each list. */
  lists: number[];
  text: string;
}

const DROPPED = new Set(
  "audio canvas datalist embed iframe math noembed noframes noscript object script select style svg template textarea title video".split(
    " ",
  ),
);

/** parse5, installed from `package-lock.json` the first time. */
export async function loadParse5(): Promise<Parse> {
  const here = import.meta.dirname;
  if (!existsSync(join(here, "node_modules/parse5")))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: "ignore" });
  const main = pathToFileURL(join(here, "node_modules/parse5/dist/index.js")).href;
  // Safe: the export of that version.
  const { parse } = (await import(main)) as { parse: Parse };
  return parse;
}

const removeSpaces = (text: string) => text.replaceAll(/\s+/g, "");
const attributeOf = ({ attrs }: Node, name: string) => attrs?.find((one) => one.name === name)?.value;

function isSeen(node: Node): boolean {
  if (DROPPED.has(node.nodeName)) return false;
  const hidden = attributeOf(node, "hidden");
  return (hidden === undefined || hidden === "until-found") && attributeOf(node, "aria-hidden") !== "true";
}

/** Reading of a page by parse5. */
export function readWithParse5(parse: Parse, html: string): PageReading {
  const found: PageReading = { titles: [], headings: [], links: [], tables: [], lists: [], text: "" };
  const pieces: string[] = [];
  const waiting: Node[] = [parse(html)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === "title") found.titles.push(removeSpaces(textOf(node, () => true)));
    if (!isSeen(node)) continue;
    if (node.nodeName === "#text") pieces.push(node.value ?? "");
    else addElement(found, node);
    waiting.push(...(node.childNodes ?? []).toReversed());
  }
  found.text = removeSpaces(pieces.join(""));
  return found;
}

function addElement(found: PageReading, node: Node) {
  const name = node.nodeName;
  if (/^h[1-6]$/.test(name)) found.headings.push(`${name[1]} ${removeSpaces(textOf(node, isSeen))}`);
  const href = name === "a" ? attributeOf(node, "href") : undefined;
  if (href !== undefined) found.links.push(`${href} ${removeSpaces(textOf(node, isSeen))}`);
  if (name === "table") {
    const rows = findNested(node, "tr", "table");
    const cells = rows.map((row) => [...findNested(row, "td", "table"), ...findNested(row, "th", "table")].length);
    found.tables.push(`${rows.length} ${Math.max(0, ...cells)}`);
  }
  if (name === "ul" || name === "ol") found.lists.push(findNested(node, "li", name).length);
}

/** Visible elements within another, except those within a nested one of its kind. */
function findNested(node: Node, name: string, kind: string): Node[] {
  const lists = kind === "table" ? ["table"] : ["ul", "ol"];
  return (node.childNodes ?? []).flatMap((child) =>
    !isSeen(child) || lists.includes(child.nodeName)
      ? []
      : [...(child.nodeName === name ? [child] : []), ...findNested(child, name, kind)],
  );
}

function textOf(node: Node, isRead: (node: Node) => boolean): string {
  if (node.nodeName === "#text") return node.value ?? "";
  return (node.childNodes ?? []).map((child) => (isRead(child) ? textOf(child, isRead) : "")).join("");
}
