import type { Block, Heading, ParsedPage } from "./parsed-page.ts";
import { countWords } from "./parsing/count-words.ts";
import { gatherHead } from "./parsing/gather-head.ts";
import { gatherMicrodata } from "./parsing/gather-microdata.ts";
import { gatherParts } from "./parsing/gather-parts.ts";
import { gatherRegions } from "./parsing/gather-regions.ts";
import { gatherSources } from "./parsing/gather-sources.ts";
import { gatherText } from "./parsing/gather-text.ts";
import { createBoundedLists } from "./parsing/gatherer.ts";
import type { CloseCallback } from "./parsing/element-stack.ts";
import { walkTags } from "./parsing/walk-tags.ts";

/** Pages with fewer words may be filled by scripts. */
const MIN_WORDS = 25;
const MAX_LABEL_LENGTH = 300;

const NOTHING_TO_CLOSE: readonly CloseCallback[] = [];

/** One pass, linear in the length of the HTML. */
export function parsePage(html: string): ParsedPage {
  const { keep, isCut } = createBoundedLists();
  const text = gatherText(keep);
  const head = gatherHead(keep, text.isSeen);
  const regions = gatherRegions(text, keep);
  const parts = gatherParts(text, keep);
  const sources = gatherSources(text, keep);
  const microdata = gatherMicrodata(text);
  // Order matters: head reads titles before text drops them; text ends blocks before regions count.
  const gatherers = [head, text, regions, parts, sources, microdata];
  let elementCount = 0;
  walkTags(html, {
    onTagOpen(tag) {
      elementCount += 1;
      let closes: CloseCallback[] | undefined;
      for (const gatherer of gatherers) {
        const close = gatherer.onTagOpen(tag);
        if (close) (closes ??= []).push(close);
      }
      return closes ?? NOTHING_TO_CLOSE;
    },
    text(piece, at) {
      head.text(piece, at);
      text.text(piece, at);
    },
  });
  const read = text.reader();
  const main = regions.main(html.length);
  const { words: wordCount } = text.counted();
  const { titles, metas, links, jsonLd, page } = head;
  const { anchors, images, tables, lists } = parts;
  const { times, bylines, quotes } = sources.gathered(read);
  const marked = <Fact extends { offset: number; isInMain: boolean }>(facts: readonly Fact[]) => {
    for (const fact of facts) fact.isInMain = main.holds(fact.offset);
    return facts;
  };
  const [blocks, headings] = [marked(text.blocks), marked(text.headings)];
  return {
    ...page,
    titles,
    metas,
    links,
    headings,
    blocks,
    anchors: anchors.map(({ from, to, label, ...anchor }) => ({
      ...anchor,
      text: read({ from, to }, MAX_LABEL_LENGTH) || label,
      isInMain: main.holds(anchor.offset),
    })),
    images: marked(images),
    tables: marked(tables),
    lists: marked(lists),
    times,
    quotes: marked(quotes),
    bylines,
    landmarks: regions.landmarks,
    jsonLd,
    microdata: microdata.gathered(read),
    elementCount,
    wordCount,
    mainWordCount: countMainWords(blocks, headings),
    mainBy: main.by,
    isLikelyAppShell: wordCount < MIN_WORDS && page.scriptCount > 0 && regions.emptyContainers() > 0,
    isCut: isCut(),
    lineOf: createLineIndex(html),
  };
}

const countMainWords = (blocks: readonly Block[], headings: readonly Heading[]) =>
  blocks.reduce((sum, { isInMain, wordCount }) => sum + (isInMain ? wordCount : 0), 0) +
  headings.reduce((sum, { isInMain, text }) => sum + (isInMain ? countWords(text) : 0), 0);

/** Built on first use. */
function createLineIndex(html: string): (at: number) => number {
  let starts: number[] | null = null;
  return (at) => {
    if (!starts) {
      starts = [0];
      for (let end = html.indexOf("\n"); end >= 0; end = html.indexOf("\n", end + 1)) starts.push(end + 1);
    }
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  };
}
