import type { Block, Heading, ParsedPage } from "../parsed-page.ts";

/** Blocks below a heading, up to the next heading. */
export interface PageSection {
  heading: Heading | null;
  blocks: readonly Block[];
  wordCount: number;
}

const MIN_PASSAGE_WORDS = 8;
const PASSAGE_KINDS: ReadonlySet<Block["kind"]> = new Set(["paragraph", "list_item", "quote", "definition"]);

const cachedSections = new WeakMap<ParsedPage, readonly PageSection[]>();

/** Sections of the main content with text, in order. */
export function getSections(page: ParsedPage): readonly PageSection[] {
  const found = cachedSections.get(page) ?? buildSections(page);
  cachedSections.set(page, found);
  return found;
}

function buildSections({ blocks, headings }: ParsedPage): PageSection[] {
  const sections: { heading: Heading | null; blocks: Block[]; wordCount: number }[] = [];
  for (const block of blocks) {
    if (!block.isInMain) continue;
    const above = block.heading === null ? undefined : headings[block.heading];
    const heading = above?.isInMain ? above : null;
    let section = sections.at(-1);
    if (!section || section.heading !== heading) {
      section = { heading, blocks: [], wordCount: 0 };
      sections.push(section);
    }
    section.blocks.push(block);
    section.wordCount += block.wordCount;
  }
  return sections;
}

/** Running text, unlike labels, menus and code. */
export const isPassage = ({ kind, wordCount, linked }: Block) =>
  PASSAGE_KINDS.has(kind) && wordCount >= MIN_PASSAGE_WORDS && linked < 0.5;

/** All blocks of the main content if it has no h1. */
export function listBlocksAfterTitle(page: ParsedPage): Block[] {
  const title = page.headings.find(({ level, isInMain }) => level === 1 && isInMain);
  return page.blocks.filter(({ isInMain, offset }) => isInMain && offset > (title?.offset ?? -1));
}

/** Matches whole words. */
export function mentionsAnyName(text: string, named: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return named.some((name) => hasWord(lower, name.trim().toLowerCase()));
}

const LETTER_PATTERN = /[\p{L}\p{N}]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const isSameWord = (one: string, other: string) =>
  LETTER_PATTERN.test(one) && LETTER_PATTERN.test(other) && !UNSPACED.test(one) && !UNSPACED.test(other);

function hasWord(text: string, word: string): boolean {
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length;
    if (!isSameWord(text.charAt(at - 1), word.charAt(0)) && !isSameWord(word.charAt(word.length - 1), text.charAt(end)))
      return true;
  }
  return false;
}
