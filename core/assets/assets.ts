import { removeInvisible } from "../shared/fields.ts";

/** Types detected from the file's bytes. */
export const ASSET_TYPES = ["text", "markdown", "html", "pdf", "docx", "image", "video"] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

export const ASSET_STATUSES = ["processing", "ready", "failed", "archived"] as const;

/** Classes that are priced and scored differently. */
export const ASSET_CLASSES = ["text", "image", "video"] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

export function toAssetClass(type: AssetType): AssetClass {
  return type === "image" || type === "video" ? type : "text";
}

/** Max stored text of an asset, in UTF-16 code units. */
export const ASSET_TEXT_LIMIT = 1_000_000;
const EXCERPT_LENGTH = 300;

/** Normalises stored text so that offsets are stable: LF line breaks, no invisible characters. */
export function normaliseText(text: string): string {
  return removeInvisible(text.replaceAll(/\r\n?/g, "\n")).toWellFormed();
}

// Scripts without spaces are counted by character.
const WORD_PATTERN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

export function describeText(text: string): { wordCount: number; excerpt: string; textLength: number } {
  let wordCount = 0;
  for (const _ of text.matchAll(WORD_PATTERN)) wordCount += 1;
  const excerpt = text
    .slice(0, EXCERPT_LENGTH * 4)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, EXCERPT_LENGTH)
    .toWellFormed();
  return { wordCount, excerpt, textLength: text.length };
}

const MARKDOWN_PATTERNS = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /^\|? ?:?-{3,}:? ?\|/m,
  /\[[^[\]\n]+\]\([^()\s]+(?:\([^()\s]*)?\)/,
  /\*\*\S[^*\n]*\*\*/,
];

/** True if plain text has Markdown syntax; nothing else in the bytes distinguishes the two. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, 20_000);
  return MARKDOWN_PATTERNS.some((sign) => sign.test(head));
}

export interface StoredFile {
  sha256: string;
  size_bytes: number;
  file_name: string;
  type: AssetType;
  media_type: string;
}
