import { withoutInvisible } from "../shared/fields.ts";

/** What an asset can be, by what its bytes are. */
export const ASSET_TYPES = ["text", "markdown", "html", "pdf", "docx", "image", "video"] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

export const ASSET_STATUSES = ["processing", "ready", "failed", "archived"] as const;

/** What assets are evaluated together as: each has a price and a way of being judged of its own. */
export const ASSET_CLASSES = ["text", "image", "video"] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

export function assetClass(type: AssetType): AssetClass {
  return type === "image" || type === "video" ? type : "text";
}

/** Longest text that is kept of an asset, in UTF-16 code units. */
export const ASSET_TEXT_LIMIT = 1_000_000;
const EXCERPT_LENGTH = 300;

/** Text as it is kept, so that offsets into it mean the same to everybody: line feeds alone, nothing invisible. */
export function plainText(text: string): string {
  return withoutInvisible(text.replaceAll(/\r\n?/g, "\n")).toWellFormed();
}

// Scripts without spaces between words are counted by the character.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

/** What lists show of a text besides itself. */
export function describeText(text: string): { wordCount: number; excerpt: string; textLength: number } {
  let wordCount = 0;
  for (const _ of text.matchAll(WORD)) wordCount += 1;
  const excerpt = text
    .slice(0, EXCERPT_LENGTH * 4)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, EXCERPT_LENGTH)
    .toWellFormed();
  return { wordCount, excerpt, textLength: text.length };
}

const MARKDOWN_SIGNS = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /^\|? ?:?-{3,}:? ?\|/m,
  /\[[^[\]\n]+\]\([^()\s]+(?:\([^()\s]*)?\)/,
  /\*\*\S[^*\n]*\*\*/,
];

/** True if plain text carries the marks of Markdown. The two cannot be told apart by anything else in their bytes. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, 20_000);
  return MARKDOWN_SIGNS.some((sign) => sign.test(head));
}

export interface StoredFile {
  sha256: string;
  size_bytes: number;
  file_name: string;
  type: AssetType;
  media_type: string;
}
