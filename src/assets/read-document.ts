import { ASSET_TEXT_LIMIT, normaliseText, type AssetType } from "../../core/assets/assets.ts";
import { repackDocxParts } from "./docx-parts.ts";
import { extractHtmlText } from "./html-text.ts";
import { decodeText } from "../outside/text-encoding.ts";
import { TooMuch } from "./too-much.ts";

const MAX_PAGES = 10_000;

/** Runs only in the extraction process. */
export async function readDocument(type: AssetType, bytes: Buffer): Promise<{ text: string; isCut: boolean }> {
  const text = normaliseText(await chooseReader(type)(bytes)).trim();
  return { text: text.slice(0, ASSET_TEXT_LIMIT).toWellFormed(), isCut: text.length > ASSET_TEXT_LIMIT };
}

function chooseReader(type: AssetType): (bytes: Buffer) => string | Promise<string> {
  if (type === "pdf") return extractPdfText;
  if (type === "docx") return extractDocxText;
  return type === "html" ? (bytes) => extractHtmlText(decodeText(bytes), ASSET_TEXT_LIMIT + 1) : decodeText;
}

/** unpdf exports no usable type. */
type TextItem = { str: string; hasEOL: boolean } | { type: string };

async function extractPdfText(bytes: Buffer): Promise<string> {
  const { getDocumentProxy } = await import("unpdf");
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, stopAtErrors: false });
  if (pdf.numPages > MAX_PAGES) throw new TooMuch();
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages && length <= ASSET_TEXT_LIMIT; number++) {
    const page = await pdf.getPage(number);
    const { items }: { items: readonly TextItem[] } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    pages.push(text);
    length += text.length + 2;
    page.cleanup();
  }
  return pages.join("\n\n");
}

async function extractDocxText(bytes: Buffer): Promise<string> {
  const buffer = await repackDocxParts(bytes);
  const { default: mammoth } = await import("mammoth");
  const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: "" }));
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false });
  return extractHtmlText(value, ASSET_TEXT_LIMIT + 1);
}
