import { figuresIn } from "../../claims/figures.ts";
import { hostOf, registrableDomain } from "../../domains.ts";
import { evidenceAt, failed, passed, skipped, warned, type PageCheck } from "../check.ts";
import type { ParsedPage } from "../parsed-page.ts";
import { counted } from "../plural.ts";
import { GEO_STUDY } from "../sources.ts";
import { quotesIn } from "./quotes.ts";
import { unlessOneOf } from "./suits.ts";

/** Words of the main content below which a page need not have figures or citations. */
const SHORT_PAGE = 100;
const LONG_PAGE = 300;
const ENOUGH_FIGURES = 3;
const ENOUGH_SITES = 2;
/** What is searched at most: blocks with digits, and links. */
const MOST_BLOCKS = 300;
const MOST_LINKS = 2000;
/** Units before what follows without a space. Those of dates are none. */
const JAPANESE_UNIT =
  /^(?:リットル|ミリ|センチ|メートル|キロ|グラム|トン|ワット|ボルト|時間|分|秒|週間|か月|ヶ月|円|ドル|ユーロ|パーセント|度|倍|畳)/u;
/** Sites on which pages are shared; links to them cite nothing. */
const SHARES = new Set(
  "facebook.com x.com twitter.com linkedin.com pinterest.com whatsapp.com wa.me t.me telegram.me reddit.com instagram.com tiktok.com threads.net bsky.app xing.com line.me hatena.ne.jp getpocket.com".split(
    " ",
  ),
);

export const EVIDENCE_CHECKS: readonly PageCheck[] = [
  {
    id: "figures_with_units",
    of: "page",
    area: "content",
    title: "The text gives figures with units",
    weight: 3,
    howToFix: 'Replace words such as "fast" or "affordable" with figures and their units: 3 minutes, 49 €, 12 %.',
    source: GEO_STUDY,
    strength: "measured_in_a_study",
    run({ page, pageType }) {
      const unsuited = unlessOneOf(["article", "product", "comparison"], pageType);
      if (unsuited) return unsuited;
      if (page.mainWords < SHORT_PAGE) return skipped(`The main content has ${counted(page.mainWords, "word")}.`);
      const figures = countFigures(page);
      if (figures >= ENOUGH_FIGURES)
        return passed(`The main content gives ${ENOUGH_FIGURES} figures with units or more.`);
      if (figures > 0) return warned(`The main content gives ${counted(figures, "figure")} with units.`);
      return pageType === "article"
        ? warned("The main content gives no figures with units.")
        : failed("The main content gives no figures with units.");
    },
  },
  {
    id: "attributed_quotations",
    of: "page",
    area: "content",
    title: "Quotations name who said them",
    weight: 2,
    howToFix:
      "Quote people or sources that know the subject, and name them: in a cite element within the blockquote, or beside the quoted sentence.",
    source: GEO_STUDY,
    strength: "measured_in_a_study",
    run({ page, pageType }) {
      const unsuited = unlessOneOf(["article", "comparison"], pageType);
      if (unsuited) return unsuited;
      const quotes = quotesIn(page);
      if (quotes.length === 0) return warned("The main content has no quotations.");
      const unnamed = quotes.filter(({ isAttributed }) => !isAttributed);
      if (unnamed.length === 0) return passed(`${counted(quotes.length, "quotation")} with who said it.`);
      const message = `${unnamed.length} of ${counted(quotes.length, "quotation")} ${unnamed.length === 1 ? "does" : "do"} not say who said it.`;
      const evidence = unnamed.map((quote) => evidenceAt(page, quote));
      return unnamed.length === quotes.length ? failed(message, evidence) : warned(message, evidence);
    },
  },
  {
    id: "outbound_citations",
    of: "page",
    area: "content",
    title: "The text cites other sites",
    weight: 3,
    howToFix: "Link facts and figures to where they come from: studies, standards, makers' pages, statistics offices.",
    source: GEO_STUDY,
    strength: "measured_in_a_study",
    run({ page, pageType, fetched }) {
      const unsuited = unlessOneOf(["article", "comparison"], pageType);
      if (unsuited) return unsuited;
      if (page.mainWords < SHORT_PAGE) return skipped(`The main content has ${counted(page.mainWords, "word")}.`);
      const sites = citedSites(page, fetched.finalUrl);
      const message = `The main content links to ${counted(sites, "other site")}.`;
      if (sites >= ENOUGH_SITES) return passed(message);
      return sites === 0 && page.mainWords >= LONG_PAGE ? failed(message) : warned(message);
    },
  },
];

/** Figures with a unit or currency in the main content, counted up to as many as are enough. */
function countFigures({ blocks }: ParsedPage): number {
  let [figures, searched] = [0, 0];
  for (const { text, kind, isInMain } of blocks) {
    if (!isInMain || kind === "code" || !/\d/.test(text)) continue;
    searched += 1;
    for (const { unit, currency, word } of figuresIn(text, 0, Math.min(text.length, 2000)))
      if (unit !== undefined || currency !== undefined || JAPANESE_UNIT.test(word)) figures += 1;
    if (figures >= ENOUGH_FIGURES || searched >= MOST_BLOCKS) break;
  }
  return figures;
}

/** How many other sites the main content links to, without those where it is shared, and without paid links. */
function citedSites({ anchors }: ParsedPage, url: string): number {
  const own = registrableDomain(url);
  const hosts = new Set<string>();
  for (const { href, rel, isInMain } of anchors) {
    if (!isInMain || !/^(?:https?:)?\/\//i.test(href) || rel.includes("sponsored") || rel.includes("ugc")) continue;
    hosts.add(hostOf(href.startsWith("//") ? `https:${href}` : href));
    if (hosts.size >= MOST_LINKS) break;
  }
  const sites = new Set([...hosts].map(registrableDomain));
  return [...sites].filter((site) => site !== "" && site !== own && !SHARES.has(site)).length;
}
