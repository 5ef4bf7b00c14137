import type { LandmarkKind, ParsedPage } from "../parsed-page.ts";
import type { PageText } from "./gather-text.ts";
import type { Gatherer, AppendBounded } from "./gatherer.ts";

/** Offsets in the HTML; `wordCount` has unlinked words outside navigation. */
interface Region {
  from: number;
  to: number;
  wordCount: number;
}

const LANDMARKS_BY_ROLE: ReadonlyMap<string, LandmarkKind> = new Map([
  ["main", "main"],
  ["article", "article"],
  ["banner", "header"],
  ["navigation", "nav"],
  ["contentinfo", "footer"],
  ["complementary", "aside"],
]);
const LANDMARKS_BY_ELEMENT: ReadonlyMap<string, LandmarkKind> = new Map([
  ["main", "main"],
  ["article", "article"],
  ["header", "header"],
  ["nav", "nav"],
  ["footer", "footer"],
  ["aside", "aside"],
]);
const CONTAINER_ELEMENTS = new Set(["div", "section", "td", "form", "center"]);
/** Shares of the words outside navigation that make a region the main content. */
const MIN_DENSE_SHARE = 0.6;
const MIN_ARTICLE_SHARE = 0.3;
const MIN_CONTAINER_WORDS = 20;

export function gatherRegions(text: PageText, push: AppendBounded) {
  const landmarks: { kind: LandmarkKind; offset: number }[] = [];
  const [outside, containers, mains, articles]: [Region[], Region[], Region[], Region[]] = [[], [], [], []];
  /** Headers in sectioning elements are not the page's; footers in quotes name the author. */
  let [sections, quotes, articlesOpen, outsideOpen, outsideWords, emptyContainers] = [0, 0, 0, 0, 0, 0];
  const words = () => text.counted().unlinked - outsideWords;

  const regionTo = (list: Region[], from: number, least: number) => {
    const before = words();
    return (to: number) => {
      const region = { from, to, wordCount: words() - before };
      if (region.wordCount >= least) push(list, region);
    };
  };
  function excludeRegion(from: number) {
    const before = text.counted().unlinked;
    outsideOpen += 1;
    return (to: number) => {
      outsideOpen -= 1;
      if (outsideOpen > 0) return;
      outsideWords += text.counted().unlinked - before;
      push(outside, { from, to, wordCount: 0 });
    };
  }
  function openLandmark(kind: LandmarkKind, offset: number) {
    if ((kind === "header" && sections > 0) || (kind === "footer" && quotes > 0)) return undefined;
    push(landmarks, { kind, offset });
    if (kind !== "main" && kind !== "article") return excludeRegion(offset);
    const isArticle = kind === "article";
    const isKept = outsideOpen === 0 && !(isArticle && articlesOpen > 0);
    sections += 1;
    if (isArticle) articlesOpen += 1;
    const close = isKept ? regionTo(isArticle ? articles : mains, offset, 1) : undefined;
    return (to: number) => {
      sections -= 1;
      if (isArticle) articlesOpen -= 1;
      close?.(to);
    };
  }
  const gatherer: Gatherer = {
    onTagOpen({ name, offset, attributes }) {
      if (!text.isSeen()) return undefined;
      const kind =
        LANDMARKS_BY_ROLE.get(attributes.get("role")?.trim().toLowerCase() ?? "") ?? LANDMARKS_BY_ELEMENT.get(name);
      if (kind) return openLandmark(kind, offset);
      const isSection = name === "section";
      const isQuote = name === "blockquote" || name === "figure";
      const isContainer = CONTAINER_ELEMENTS.has(name);
      const canBeEmpty = (isContainer && attributes.has("id")) || name.includes("-");
      if (!isContainer && !isQuote && !canBeEmpty) return undefined;
      if (isSection) sections += 1;
      if (isQuote) quotes += 1;
      const solid = text.solid();
      const close = isContainer && outsideOpen === 0 ? regionTo(containers, offset, MIN_CONTAINER_WORDS) : undefined;
      return (to) => {
        if (isSection) sections -= 1;
        if (isQuote) quotes -= 1;
        if (canBeEmpty && text.solid() === solid) emptyContainers += 1;
        close?.(to);
      };
    },
  };
  return {
    ...gatherer,
    landmarks,
    emptyContainers: () => emptyContainers,
    /** Call it after the whole HTML was walked. */
    main(length: number) {
      const firstTitle =
        text.headings.find(({ level, offset }) => level === 1 && !isInRegions(outside, offset))?.offset ?? null;
      const { basis, region } = chooseMain(
        { mains, articles, containers },
        { from: 0, to: length, wordCount: words() },
        firstTitle,
      );
      const holds = (at: number) => at >= region.from && at < region.to && !isInRegions(outside, at);
      return { by: basis, holds };
    },
  };
}

interface MainCandidates {
  mains: readonly Region[];
  articles: readonly Region[];
  containers: readonly Region[];
}

function chooseMain(
  { mains, articles, containers }: MainCandidates,
  body: Region,
  title: number | null,
): { basis: ParsedPage["mainBy"]; region: Region } {
  const main = findLargest(mains);
  if (main) return { basis: "main", region: main };
  const article = findLargest(articles);
  const inArticles = articles.reduce((sum, { wordCount }) => sum + wordCount, 0);
  if (article && article.wordCount >= inArticles / 2 && article.wordCount >= MIN_ARTICLE_SHARE * body.wordCount)
    return { basis: "article", region: article };
  // Regions with most of the words contain each other: choose the innermost with the title.
  const dense = containers
    .filter(({ wordCount }) => wordCount >= MIN_DENSE_SHARE * body.wordCount)
    .toSorted((one, other) => one.to - one.from - (other.to - other.from));
  const withTitle = title === null ? undefined : dense.find(({ from, to }) => title >= from && title < to);
  const region = title === null ? dense[0] : withTitle;
  return region ? { basis: "density", region } : { basis: "body", region: body };
}

const findLargest = (regions: readonly Region[]): Region | undefined => {
  let best: Region | undefined;
  for (const region of regions) if (!best || region.wordCount > best.wordCount) best = region;
  return best;
};

/** Regions must be consecutive. */
function isInRegions(regions: readonly Region[], at: number): boolean {
  let [low, high] = [0, regions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((regions[middle] as Region).to <= at) low = middle + 1;
    else high = middle;
  }
  const region = regions[low];
  return region !== undefined && region.from <= at;
}
