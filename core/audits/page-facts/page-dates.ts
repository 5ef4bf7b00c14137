import { findDates } from "../../claims/check-date.ts";
import type { ParsedPage } from "../parsed-page.ts";
import { findStatedFacts } from "./stated-facts.ts";

/** Midnight UTC in milliseconds since 1970. */
export interface PageDate {
  time: number;
  text: string;
  offset: number;
}

/** Blocks of the main content that can hold the page's date. */
const MAX_BLOCKS_AT_START = 12;
const MAX_BLOCKS_AT_END = 4;
const MAX_HEADINGS = 40;
const MAX_TEXT_LENGTH = 160;

/** In metas, JSON-LD, microdata and time elements. */
export function findMachineReadableDates(page: ParsedPage): {
  publishedDates: PageDate[];
  modifiedDates: PageDate[];
  shown: PageDate[];
} {
  const { published, modified } = findStatedFacts(page);
  const shown = page.times.flatMap(({ datetime, text, offset }) => toPageDate(datetime ?? text, offset));
  return {
    publishedDates: published.flatMap(({ text, offset }) => toPageDate(text, offset)),
    modifiedDates: modified.flatMap(({ text, offset }) => toPageDate(text, offset)),
    shown,
  };
}

/** Near the start or end of the main content, in five languages. */
export function findWrittenDates(page: ParsedPage): PageDate[] {
  const main = page.blocks.filter(({ isInMain, kind }) => isInMain && kind !== "code");
  const near =
    main.length <= MAX_BLOCKS_AT_START + MAX_BLOCKS_AT_END
      ? main
      : [...main.slice(0, MAX_BLOCKS_AT_START), ...main.slice(-MAX_BLOCKS_AT_END)];
  // If density determined the main content, a heading with the date may be outside it.
  const headings = page.headings.filter(({ isInMain }) => isInMain || page.mainBy === "density").slice(0, MAX_HEADINGS);
  return [...near, ...headings]
    .filter(({ text }) => text.length <= MAX_TEXT_LENGTH)
    .flatMap(({ text, offset }) =>
      findDates({ text }).flatMap(({ statedDate }) => {
        const time = statedDate.length === 10 ? parseDay(statedDate) : null;
        return time === null ? [] : [{ time, text, offset }];
      }),
    );
}

function toPageDate(text: string, offset: number): PageDate[] {
  const time = parseDay(text.trim().slice(0, 40));
  return time === null ? [] : [{ time, text: text.trim().slice(0, 40), offset }];
}

/** ISO 8601 or RFC 9110; null for other text. */
function parseDay(text: string): number | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?![\d-])/.exec(text);
  if (iso) {
    const time = Date.UTC(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
    return new Date(time).toISOString().startsWith(iso[0]) ? time : null;
  }
  if (!/^[A-Za-z]{3}, \d{1,2} [A-Za-z]{3} \d{4}/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time - (time % 86_400_000);
}
