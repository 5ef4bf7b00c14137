import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { findMachineReadableDates, findWrittenDates, type PageDate } from "../page-facts/page-dates.ts";
import type { PageType } from "../page-type.ts";
import type { ParsedPage } from "../parsed-page.ts";
import { findStatedFacts } from "../page-facts/stated-facts.ts";
import { skipUnlessPageType } from "./skip-unless-page-type.ts";

const DAY_MS = 86_400_000;
const MAX_AGE_DAYS: Partial<Readonly<Record<PageType, readonly [old: number, outdated: number]>>> = {
  article: [730, 1460],
  comparison: [365, 730],
  product: [730, 1460],
  documentation: [730, 1460],
};
const IMPERSONAL_AUTHOR_PATTERN =
  /^(?:admin|administrator|editor|editors|editorial (?:team|staff)|staff|team|the team|redaktion|die redaktion|rédaction|la rédaction|redacción|webmaster|author|編集部|管理者)$/i;
/** Byline such as "By Ann Lee". */
const BYLINE_PATTERN =
  /^(?:(?:Written |Reviewed )?[Bb]y|Von|Text:|Autor(?:in)?:|Par|Auteure? ?:|Por|Autora?:)\s+(?=\p{Lu})|^(?:文|著者|執筆|筆者)[:：]/u;
const MAX_BYLINE_BLOCKS = 12;

export const ORIGIN_CHECKS = definePageChecks("content", [
  {
    id: "author_named",
    title: "The page names its author",
    weight: 2,
    howToFix:
      "Name the author in a line near the title that links to a page about them, and as author in the structured data.",
    source: SOURCES.GOOGLE_ARTICLES,
    strength: "documented_by_an_engine",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["article", "comparison"], pageType);
      if (unsuited) return unsuited;
      const authors = findAuthors(page);
      if (authors.length === 0) return failed("The page names no author.");
      if (authors.every(({ text }) => IMPERSONAL_AUTHOR_PATTERN.test(stripBylinePrefix(text))))
        return warned(
          "The page names no person as its author.",
          authors.map((author) => createEvidence(page, author)),
        );
      return passed("The page names its author.");
    },
  },
  {
    id: "freshness",
    title: "The page shows a recent date of change",
    weight: 3,
    howToFix:
      "Review the page, and state the day of the last change where readers see it and in the structured data as dateModified.",
    source: SOURCES.GOOGLE_DATES,
    strength: "documented_by_an_engine",
    run({ page, pageType, fetchedAtMs }) {
      const ages = MAX_AGE_DAYS[pageType];
      if (!ages) return skipUnlessPageType(Object.keys(MAX_AGE_DAYS) as PageType[], pageType) ?? skipped("");
      const dates = findDates(page);
      if (dates.length === 0) {
        if (pageType === "product") return skipped("The page shows no date, and a product page need not.");
        const message = "The page states no date of publication or change.";
        return pageType === "documentation" ? warned(message) : failed(message);
      }
      const past = dates.filter(({ time }) => time <= fetchedAtMs + DAY_MS);
      const latest = past.toSorted((one, other) => other.time - one.time)[0];
      if (!latest)
        return warned(
          "The page has a date in the future.",
          dates.map((date) => createEvidence(page, date)),
        );
      const days = Math.max(0, Math.floor((fetchedAtMs - latest.time) / DAY_MS));
      const message = `The page was last changed ${days} days ago.`;
      if (days > ages[1]) return failed(message, [createEvidence(page, latest)]);
      return days > ages[0] ? warned(message, [createEvidence(page, latest)]) : passed(message);
    },
  },
]);

const stripBylinePrefix = (text: string) => text.replace(/^(?:(?:written )?by|von|par|por)\s+/i, "").trim();

function findAuthors(page: ParsedPage): { text: string; offset: number }[] {
  const { authors } = findStatedFacts(page);
  const lines = page.blocks.filter(({ isInMain }) => isInMain).slice(0, MAX_BYLINE_BLOCKS);
  const written = lines.filter(({ text, wordCount }) => wordCount <= 20 && BYLINE_PATTERN.test(text));
  const named = [...authors, ...page.bylines, ...written].filter(({ text }) => text !== "");
  return [...new Map(named.toReversed().map((author) => [author.text, author])).values()].toReversed();
}

/** Dates in metadata, else in time elements, else in the text. */
function findDates(page: ParsedPage): PageDate[] {
  const { publishedDates, modifiedDates, shown } = findMachineReadableDates(page);
  const stated = [...modifiedDates, ...publishedDates];
  if (stated.length > 0) return stated;
  return shown.length > 0 ? shown : findWrittenDates(page);
}
