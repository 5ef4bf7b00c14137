import type { Span } from "../capture.ts";
import { isKnownSite } from "../../brands/known-sites.ts";
import { PRICE_AND_BULLET, SHOP_END } from "../ranks/list-tables.ts";

/** True for a name that stands only for where something is from or sold: a chip, a card's shop, the site behind a sentence. */
export function isSourceLabel(cased: string, name: Span): boolean {
  return isChip(cased, name.end) || isShop(cased, name) || isFootnote(cased, name);
}

/** The label of a source, and how many more there are: "Sony+1", "Garmin Support+2", "Acme+2example.com+1". */
function isChip(cased: string, end: number): boolean {
  const after = cased.slice(end, end + LONGEST_CHIP);
  return after.includes("+") && CHIP.test(after);
}

const CHIP = /^(?: \p{Lu}[\p{L}&'-]*(?:\.\p{L}+)?){0,3}\+\d{1,2}(?![\d.,]|\p{Ll}(?![\w-]*\.[a-z]{2,})|[GT]B?\b)/u;
const LONGEST_CHIP = 50;

const BEFORE_SHOP = new RegExp(String.raw`(?:${PRICE_AND_BULLET.source})\s?$`);
/** What is left of a shop's name, then the end of its card or of the strip. */
const AFTER_SHOP = new RegExp(String.raw`^[^•\n$€£¥\d+]{0,24}?(?:\s?(?:${SHOP_END.source})|\s*(?:\n|$))`, "i");

/** "1.019,99 $•Acme Store + weitere" */
function isShop(cased: string, { start, end }: Span): boolean {
  if (!cased.slice(Math.max(0, start - 2), start + 1).includes("•")) return false;
  return BEFORE_SHOP.test(cased.slice(Math.max(0, start - 40), start)) && AFTER_SHOP.test(cased.slice(end, end + 48));
}

const ENDS_SENTENCE = /(?:\p{L}{2}|[)%"”])\.[)"”]?[^\S\n]$/u;
/** The end of the paragraph, or how another sentence begins. */
const AFTER_FOOTNOTE = /^[^\S\n]*(?:\n|$)|^ (?:It|Its|This|These|They|The|In|For|If|But|And|Also|You|With) /;

/** "… extra tools along with it. Acme Reviews": a captured page shows the site of a source behind the sentence. */
function isFootnote(cased: string, { start, end }: Span): boolean {
  if (!ENDS_SENTENCE.test(cased.slice(Math.max(0, start - 6), start))) return false;
  return AFTER_FOOTNOTE.test(cased.slice(end, end + 8)) && isKnownSite(cased.slice(start, end));
}
