import { COMPARISON_SLUG_PATTERN, FOLDERS, isStartPath, parseAddress } from "../audits/page-facts/detect-page-type.ts";
import { wordGroups } from "../shared/words.ts";
import type { CompetitorType } from "../sources/sources.ts";

export const CITED_PAGE_TYPES = [
  "home_page",
  "category",
  "product",
  "listicle",
  "comparison",
  "discussion",
  "how_to",
  "article",
  "other",
] as const;
export type CitedPageType = (typeof CITED_PAGE_TYPES)[number];

const NO_WORDS: ReadonlySet<string> = new Set();
const CITED_FOLDERS = wordGroups("cited_page_folders");
const DISCUSSION_FOLDERS = CITED_FOLDERS.get("discussion") ?? NO_WORDS;
const HOW_TO_FOLDERS = CITED_FOLDERS.get("how_to") ?? NO_WORDS;

const DISCUSSION_HOST_PATTERN = /^(?:forums?|community|communities|discuss|answers)\./;
const LISTICLE_SLUG_PATTERN =
  /^\d{1,2}-[a-z]{3,}|(?:^|-)(?:best|top|beste|besten|bester|meilleurs?|meilleures?|mejor|mejores)(?:-|$)|おすすめ|ランキング/;
const HOW_TO_SLUG_PATTERN =
  /(?:^|-)(?:how-to|how-do|guide|tutorial|anleitung|ratgeber|leitfaden|tutoriel|guia|comment-faire|como)(?:-|$)|の使い方|やり方/;
const DATE_FOLDERS_PATTERN = /^(?:.*\/)?20\d\d\/\d{1,2}\//;
/** Titles in addresses have this many words; names of pages have fewer. */
const MIN_TITLE_WORDS = 4;

/** By rule from the address alone; the first rule that applies. The page is not fetched. */
export function detectCitedPageType(url: string, siteType: CompetitorType): CitedPageType {
  const address = parseAddress(url);
  if (!address) return "other";
  const { host, folders } = address;
  if (isStartPath(folders)) return "home_page";
  const within = folders.slice(0, -1);
  const last = folders.at(-1) ?? "";
  const slug = last.replace(/\.[a-z]{2,5}$/, "");
  const isWithin = (words: ReadonlySet<string>) => within.some((folder) => words.has(folder));
  if (siteType === "QA_FORUM" || DISCUSSION_HOST_PATTERN.test(host) || isWithin(DISCUSSION_FOLDERS))
    return "discussion";
  if (COMPARISON_SLUG_PATTERN.test(slug) || isWithin(FOLDERS.comparison)) return "comparison";
  if (LISTICLE_SLUG_PATTERN.test(slug)) return "listicle";
  if (HOW_TO_SLUG_PATTERN.test(slug) || isWithin(HOW_TO_FOLDERS) || isWithin(FOLDERS.documentation)) return "how_to";
  if (isWithin(FOLDERS.product)) return "product";
  if (isWithin(FOLDERS.category)) return "category";
  if ([FOLDERS.product, FOLDERS.article, FOLDERS.category].some((words) => words.has(slug))) return "category";
  const isTitle = slug.split("-").length >= MIN_TITLE_WORDS;
  const isDated = DATE_FOLDERS_PATTERN.test(`${folders.join("/")}/`) && within.length > 1;
  return isTitle || isDated || isWithin(FOLDERS.article) || within.includes("wiki") ? "article" : "other";
}
