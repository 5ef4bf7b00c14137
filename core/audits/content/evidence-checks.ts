import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { findFigures } from "../../claims/figures.ts";
import { parseHost, registrableDomain } from "../../identity/domains.ts";
import { definePageChecks, createEvidence, failed, passed, skipped, warned } from "../check.ts";
import type { LocatedText, ParsedPage } from "../parsed-page.ts";
import { countNoun } from "../count-noun.ts";
import { skipUnlessPageType } from "./skip-unless-page-type.ts";

/** Sentences of 30 to 400 characters (Japanese: 15 to 200) in quotation marks. */
const QUOTATION_PATTERN =
  /“([^“”]{30,400})”|„([^„“”]{30,400})[“”]|«([^«»]{30,400})»|「([^「」]{15,200})」|(?<![\w=])"([^"]{30,400})"(?!\w)/gu;
const ATTRIBUTION_PATTERN =
  /\b(?:said|says|explains?|explained|according to|notes?|noted|told|writes?|wrote|adds?|added|sagte?|erklärte?|laut|meinte?|schreibt|schrieb|betont|selon|explique|déclare|affirme|précise|dit|d[’']après|dice|dijo|afirma|explica|según|señala)(?![\p{L}])|によると|によれば|氏|さん|と述べ|と語/iu;
const NAME = /\p{Lu}\p{L}+/u;
/** A line below a quotation with a dash and the speaker's name. */
const SIGNATURE_LINE_PATTERN = /^[—–-]\s?\p{L}/u;
const ATTRIBUTION_DISTANCE = 160;
const MAX_QUOTATIONS = 200;
const MIN_TITLE_CAPITALS = 0.75;

/** `isAttributed`: in the markup, in a line below, or near the sentence. */
function findQuotes({ quotes, blocks }: ParsedPage): (LocatedText & { isAttributed: boolean })[] {
  const evidence: (LocatedText & { isAttributed: boolean })[] = [];
  const main = blocks.filter(({ isInMain }) => isInMain);
  for (const { text, offset, attribution, isInline, isInMain } of quotes) {
    if (!isInMain || isInline || text === "") continue;
    const own = attribution !== null && attribution !== "";
    evidence.push({ text, offset, isAttributed: own || isSigned(main, text, offset) });
    if (evidence.length >= MAX_QUOTATIONS) return evidence;
  }
  for (const { text, offset: at, kind } of main) {
    if (kind !== "paragraph" && kind !== "list_item") continue;
    for (const match of text.slice(0, 20_000).matchAll(QUOTATION_PATTERN)) {
      if (isTitle(match[0])) continue;
      const before = text.slice(Math.max(0, match.index - ATTRIBUTION_DISTANCE), match.index);
      const after = text.slice(match.index + match[0].length, match.index + match[0].length + ATTRIBUTION_DISTANCE);
      const isAttributed = [before, after].some(
        (near) => ATTRIBUTION_PATTERN.test(near) && (NAME.test(near) || /[氏さん]/.test(near)),
      );
      evidence.push({
        text: match[0],
        offset: at,
        isAttributed: isAttributed || SIGNATURE_LINE_PATTERN.test(after.trim()),
      });
      if (evidence.length >= MAX_QUOTATIONS) return evidence;
    }
  }
  return evidence;
}

/** Unlike in sentences, most longer words in titles of works are capitalised. */
function isTitle(quoted: string): boolean {
  const words = quoted.match(/\p{L}{4,}/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return capitals >= MIN_TITLE_CAPITALS * words.length && capitals > 1;
}

const getQuoteStart = (text: string) => text.slice(0, 100).replaceAll("\n", " ");

/** True if the quote's last line, or the block after it, names its author. */
function isSigned(blocks: readonly (LocatedText & { kind: string })[], quote: string, at: number): boolean {
  const inside = blocks.findIndex((block) => block.kind === "quote" && block.offset >= at);
  if (inside < 0) return false;
  let after = inside;
  while (blocks[after]?.kind === "quote" && quote.includes(getQuoteStart(blocks[after]?.text ?? ""))) after += 1;
  const last = (blocks[after - 1]?.text ?? "").split("\n").at(-1) ?? "";
  return SIGNATURE_LINE_PATTERN.test(last) || SIGNATURE_LINE_PATTERN.test(blocks[after]?.text ?? "");
}

/** Main content with fewer words needs no figures or citations. */
const MIN_WORDS = 100;
const MIN_WORDS_FOR_FAILURE = 300;
const MIN_FIGURES = 3;
const MIN_CITED_SITES = 2;
const MAX_BLOCKS = 300;
const MAX_LINKED_HOSTS = 2000;
/** These units follow a figure without a space; units of dates are left out. */
const JAPANESE_UNIT_PATTERN =
  /^(?:リットル|ミリ|センチ|メートル|キロ|グラム|トン|ワット|ボルト|時間|分|秒|週間|か月|ヶ月|円|ドル|ユーロ|パーセント|度|倍|畳)/u;
/** Links to these sites are no citations. */
const SHARING_SITES = new Set(
  "facebook.com x.com twitter.com linkedin.com pinterest.com whatsapp.com wa.me t.me telegram.me reddit.com instagram.com tiktok.com threads.net bsky.app xing.com line.me hatena.ne.jp getpocket.com".split(
    " ",
  ),
);

export const EVIDENCE_CHECKS = definePageChecks("content", [
  {
    id: "figures_with_units",
    title: "The text gives figures with units",
    weight: 3,
    howToFix: 'Replace words such as "fast" or "affordable" with figures and their units: 3 minutes, 49 €, 12 %.',
    source: SOURCES.GEO_STUDY,
    strength: "measured_in_a_study",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["article", "product", "comparison"], pageType);
      if (unsuited) return unsuited;
      if (page.mainWordCount < MIN_WORDS)
        return skipped(`The main content has ${countNoun(page.mainWordCount, "word")}.`);
      const figures = countFigures(page);
      if (figures >= MIN_FIGURES) return passed(`The main content gives ${MIN_FIGURES} figures with units or more.`);
      if (figures > 0) return warned(`The main content gives ${countNoun(figures, "figure")} with units.`);
      return pageType === "article"
        ? warned("The main content gives no figures with units.")
        : failed("The main content gives no figures with units.");
    },
  },
  {
    id: "attributed_quotations",
    title: "Quotations name their author",
    weight: 2,
    howToFix:
      "Quote people or sources that know the subject, and name them: in a cite element within the blockquote, or beside the quoted sentence.",
    source: SOURCES.GEO_STUDY,
    strength: "measured_in_a_study",
    run({ page, pageType }) {
      const unsuited = skipUnlessPageType(["article", "comparison"], pageType);
      if (unsuited) return unsuited;
      const quotes = findQuotes(page);
      if (quotes.length === 0) return warned("The main content has no quotations.");
      const unnamed = quotes.filter(({ isAttributed }) => !isAttributed);
      if (unnamed.length === 0) return passed(`${countNoun(quotes.length, "quotation")} with a named speaker.`);
      const message = `${unnamed.length} of ${countNoun(quotes.length, "quotation")} ${unnamed.length === 1 ? "does" : "do"} not name the speaker.`;
      const evidence = unnamed.map((quote) => createEvidence(page, quote));
      return unnamed.length === quotes.length ? failed(message, evidence) : warned(message, evidence);
    },
  },
  {
    id: "outbound_citations",
    title: "The text cites other sites",
    weight: 3,
    howToFix: "Link facts and figures to their origin: studies, standards, makers' pages, statistics offices.",
    source: SOURCES.GEO_STUDY,
    strength: "measured_in_a_study",
    run({ page, pageType, fetched }) {
      const unsuited = skipUnlessPageType(["article", "comparison"], pageType);
      if (unsuited) return unsuited;
      if (page.mainWordCount < MIN_WORDS)
        return skipped(`The main content has ${countNoun(page.mainWordCount, "word")}.`);
      const sites = countCitedSites(page, fetched.finalUrl);
      const message = `The main content links to ${countNoun(sites, "other site")}.`;
      if (sites >= MIN_CITED_SITES) return passed(message);
      return sites === 0 && page.mainWordCount >= MIN_WORDS_FOR_FAILURE ? failed(message) : warned(message);
    },
  },
]);

/** Figures with a unit or currency, up to MIN_FIGURES. */
function countFigures({ blocks }: ParsedPage): number {
  let [figures, searched] = [0, 0];
  for (const { text, kind, isInMain } of blocks) {
    if (!isInMain || kind === "code" || !/\d/.test(text)) continue;
    searched += 1;
    for (const { unit, currency, word } of findFigures(text, 0, Math.min(text.length, 2000)))
      if (unit !== undefined || currency !== undefined || JAPANESE_UNIT_PATTERN.test(word)) figures += 1;
    if (figures >= MIN_FIGURES || searched >= MAX_BLOCKS) break;
  }
  return figures;
}

/** Other sites, without sharing sites and paid links. */
function countCitedSites({ anchors }: ParsedPage, url: string): number {
  const own = registrableDomain(url);
  const hosts = new Set<string>();
  for (const { href, rel, isInMain } of anchors) {
    if (!isInMain || !/^(?:https?:)?\/\//i.test(href) || rel.includes("sponsored") || rel.includes("ugc")) continue;
    hosts.add(parseHost(href.startsWith("//") ? `https:${href}` : href));
    if (hosts.size >= MAX_LINKED_HOSTS) break;
  }
  const sites = new Set([...hosts].map(registrableDomain));
  return [...sites].filter((site) => site !== "" && site !== own && !SHARING_SITES.has(site)).length;
}
