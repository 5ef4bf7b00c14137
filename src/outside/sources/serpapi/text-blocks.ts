import { z } from "zod";
import type { Span } from "../../../../core/reading/capture.ts";
import { groupCitations, type CitedPage } from "../bodies/cited-pages.ts";
import { ProviderError } from "../provider-error.ts";

const Block = z.object({
  type: z.string().nullish(),
  title: z.string().nullish(),
  snippet: z.string().nullish(),
  reference_indexes: z.array(z.number()).nullish(),
  snippet_links: z.array(z.object({ text: z.string(), link: z.string() })).nullish(),
  headers: z.array(z.string()).nullish(),
  table: z.array(z.array(z.string())).nullish(),
  product_labels: z.array(z.string()).nullish(),
  comparison: z.array(z.object({ feature: z.string(), values: z.array(z.string()) })).nullish(),
  code: z.string().nullish(),
  get list() {
    return z.array(Block).nullish();
  },
  get text_blocks() {
    return z.array(Block).nullish();
  },
});
type Block = z.output<typeof Block>;

/** Other types are pictures, videos and the like. */
const TEXT_FIELDS: Readonly<Record<string, keyof Block>> = {
  paragraph: "snippet",
  heading: "snippet",
  list: "list",
  table: "table",
  expandable: "text_blocks",
  comparison: "comparison",
  code_block: "code",
};

const ReferenceSchema = z.object({ index: z.number(), link: z.string(), title: z.string().nullish() });
export const Answer = z.object({
  text_blocks: z.array(Block).nullish(),
  references: z.array(ReferenceSchema).nullish(),
});

interface AnswerWriter {
  text: string;
  citedPages: CitedPage[];
  pagesByIndex: ReadonlyMap<number, CitedPage>;
  rawBody: string;
}

/** Markdown. Throws ProviderError for a text block without text. */
export function readAnswer({ text_blocks, references }: z.output<typeof Answer>, rawBody: string, header?: string) {
  const pages = (references ?? []).map(({ index, link, title }) => [index, { url: link, title }] as const);
  const writing: AnswerWriter = { text: "", citedPages: [], pagesByIndex: new Map(pages), rawBody };
  const blocks = text_blocks ?? [];
  writeBlocks(header === undefined ? blocks : [{ type: "heading", snippet: header }, ...blocks], "", writing);
  return { text: writing.text, citations: groupCitations([...pages.map(([, page]) => page), ...writing.citedPages]) };
}

function writeBlocks(blocks: readonly Block[], prefix: string, writing: AnswerWriter): void {
  for (const block of blocks) {
    const before = writing.text;
    if (before !== "") writing.text += "\n\n";
    const start = writing.text.length;
    write(block, prefix, writing);
    if (writing.text.length === start) writing.text = before;
  }
}

function write(block: Block, prefix: string, writing: AnswerWriter): void {
  const field = TEXT_FIELDS[block.type ?? ""];
  if (field !== undefined && block[field] == null) throw new ProviderError("malformed", { rawBody: writing.rawBody });
  const start = writing.text.length;
  writeText(block, prefix, writing);
  const within = " ".repeat(prefix.length);
  for (const item of block.list ?? []) {
    writing.text += writing.text.length > start ? "\n" : "";
    write(item, `${within}- `, writing);
  }
  writeBlocks(block.text_blocks ?? [], within, writing);
  const lines = [...formatTableRows(block), ...(block.code == null ? [] : ["```", block.code, "```"])].join("\n");
  if (lines !== "") writing.text += writing.text.length > start ? `\n\n${lines}` : lines;
  addReferences(block, { start, end: writing.text.length }, writing);
}

function writeText({ type, title, snippet, snippet_links: links }: Block, prefix: string, writing: AnswerWriter): void {
  const text = [title, snippet].flatMap((part) => part ?? []).join(" ");
  if (text === "") return;
  writing.text += `${prefix}${type === "heading" ? "### " : ""}`;
  const from = writing.text.length;
  writing.text += text;
  for (const { text: label, link: url } of links ?? []) {
    const start = writing.text.indexOf(label, from);
    const span = start < 0 || label === "" ? undefined : { start, end: start + label.length };
    writing.citedPages.push({ url, span });
  }
}

function formatTableRows({ table, headers, comparison, product_labels: labels }: Block): string[] {
  const compared = (comparison ?? []).map(({ feature, values }) => [feature, ...values]);
  const rows = [
    ...(headers ? [headers] : []),
    ...(table ?? []),
    ...(labels && compared.length > 0 ? [["", ...labels]] : []),
    ...compared,
  ];
  const [head, ...rest] = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return head === undefined ? [] : [head, `|${"---|".repeat(rows[0]?.length ?? 0)}`, ...rest];
}

function addReferences({ reference_indexes: indexes }: Block, span: Span, { citedPages, pagesByIndex }: AnswerWriter) {
  for (const index of indexes ?? []) {
    const page = pagesByIndex.get(index);
    if (page) citedPages.push({ ...page, span });
  }
}
