import type { Span } from "../capture.ts";
import { isKnownSite } from "../../brands/known-sites.ts";
import { PRICE_AND_BULLET, SHOP_END_PATTERN } from "../ranks/list-tables.ts";

/** A source chip, a card's shop, or a site after a sentence. */
export function isSourceLabel(cased: string, name: Span): boolean {
  return isChip(cased, name.end) || isShop(cased, name) || isFootnote(cased, name);
}

/** With the number of further sources: "Sony+1", "Garmin Support+2", "Acme+2example.com+1". */
function isChip(cased: string, end: number): boolean {
  const after = cased.slice(end, end + MAX_CHIP_LENGTH);
  return after.includes("+") && SOURCE_CHIP_PATTERN.test(after);
}

const SOURCE_CHIP_PATTERN =
  /^(?: \p{Lu}[\p{L}&'-]*(?:\.\p{L}+)?){0,3}\+\d{1,2}(?![\d.,]|\p{Ll}(?![\w-]*\.[a-z]{2,})|[GT]B?\b)/u;
const MAX_CHIP_LENGTH = 50;

const TEXT_BEFORE_SHOP_PATTERN = new RegExp(String.raw`(?:${PRICE_AND_BULLET.source})\s?$`);
/** Rest of a shop's name, then the end of its card or line. */
const TEXT_AFTER_SHOP_PATTERN = new RegExp(
  String.raw`^[^•\n$€£¥\d+]{0,24}?(?:\s?(?:${SHOP_END_PATTERN.source})|\s*(?:\n|$))`,
  "i",
);

/** True for the shop of a product card: "1.019,99 $•Acme Store + weitere". */
function isShop(cased: string, { start, end }: Span): boolean {
  if (!cased.slice(Math.max(0, start - 2), start + 1).includes("•")) return false;
  return (
    TEXT_BEFORE_SHOP_PATTERN.test(cased.slice(Math.max(0, start - 40), start)) &&
    TEXT_AFTER_SHOP_PATTERN.test(cased.slice(end, end + 48))
  );
}

const ENDED_SENTENCE_PATTERN = /(?:\p{L}{2}|[)%"”])\.[)"”]?[^\S\n]$/u;
/** End of the paragraph, or start of another sentence. */
const AFTER_FOOTNOTE_PATTERN = /^[^\S\n]*(?:\n|$)|^ (?:It|Its|This|These|They|The|In|For|If|But|And|Also|You|With) /;

/** True for the site of a source after a sentence: "… extra tools along with it. Acme Reviews". */
function isFootnote(cased: string, { start, end }: Span): boolean {
  if (!ENDED_SENTENCE_PATTERN.test(cased.slice(Math.max(0, start - 6), start))) return false;
  return AFTER_FOOTNOTE_PATTERN.test(cased.slice(end, end + 8)) && isKnownSite(cased.slice(start, end));
}
