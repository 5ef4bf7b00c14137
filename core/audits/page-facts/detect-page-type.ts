import { wordGroups } from "../../shared/words.ts";
import type { FetchedPage } from "../fetched-page.ts";
import type { PageType } from "../page-type.ts";
import type { ParsedPage } from "../parsed-page.ts";
import { findStatedFacts } from "./stated-facts.ts";

type DetectableType = Exclude<PageType, "home" | "other">;

/** Path segments without file extensions. */
export const FOLDERS = Object.fromEntries(wordGroups("page_folders")) as Readonly<
  Record<DetectableType, ReadonlySet<string>>
>;
const DOCUMENTATION_HOST_PATTERN = /^(?:docs?|developers?|devdocs|help|support|api|hilfe|aide|ayuda)\./;
const DOCUMENTATION_TOOL_PATTERN =
  /^(?:docusaurus|sphinx|mkdocs|vitepress|gitbook|docsify|antora|mintlify|starlight|readme|hugo-book|asciidoctor)/;
/** For the last path segment. */
export const COMPARISON_SLUG_PATTERN =
  /(?:^|-)(?:vs|versus|vergleich|im-vergleich|compared|comparison|comparatif|comparativa|alternatives)(?:-|$)|比較/;

const TITLE_PATTERNS: Readonly<Record<"comparison" | "documentation", RegExp>> = {
  comparison:
    /\b(?:vs\.?|versus|compared|comparison|alternatives to|alternatives|im vergleich|vergleich|vergleichstest|comparatif|comparaison|face à|comparativa|comparación|frente a)(?=[\s:,.!?)-]|$)|比較|の違い|対決/i,
  documentation:
    /\b(?:documentation|api reference|reference|installation|install|quick ?start|getting started|user guide|manual|configuration|dokumentation|bedienungsanleitung|anleitung|handbuch|einrichten|guide d'utilisation|prise en main|documentación|guía de usuario|instalación|primeros pasos)\b|ドキュメント|マニュアル|インストール|リファレンス|使い方/i,
};
const PURCHASE_TEXT_PATTERN =
  /\b(?:add to (?:cart|bag|basket)|buy now|in stock|out of stock|in den warenkorb|jetzt kaufen|auf lager|lieferbar|ajouter au panier|acheter maintenant|en stock|añadir al carrito|añadir a la cesta|comprar ahora)\b|カートに入れる|購入する|在庫あり/i;
const PRICE_PATTERN = /(?:[$€£¥￥]|\b(?:USD|EUR|GBP|CHF)) ?\d|\d ?(?:[€円]|(?:EUR|USD|GBP|CHF|Euro)\b)/;
/** Result counts and sort controls of lists. */
const LISTING_TEXT_PATTERN =
  /\d (?:products|results|items|articles|produkte|ergebnisse|produits|résultats|productos|resultados)\b|\b(?:sort by|filter by|sortieren nach|trier par|ordenar por|load more|mehr laden|charger plus|cargar más)\b|\d件|並び替え/i;
/** First path segment that only names a language or country. */
const LOCALE_FOLDER_PATTERN = /^[a-z]{2}(?:[-_][a-z]{2})?$/;
const START_FILE_PATTERN = /^(?:index|default|home|start|startseite|accueil|inicio)(?:\.\w{2,5})?$/;

type Points = Record<DetectableType, number>;

/** Points of several signs add up. */
const MIN_POINTS = 3;
/** Blocks of main content searched for prices and buttons. */
const MAX_BLOCKS = 2000;
const MIN_LIST_PRICES = 6;

/** Confidence is 0 to 1. Returns `other` for too few signs. */
export function detectPageType(
  fetched: Pick<FetchedPage, "finalUrl">,
  page: ParsedPage,
  structuredTypes: readonly PageType[],
): { type: PageType; confidence: number } {
  const address = parseAddress(fetched.finalUrl);
  const isStart = address !== null && isStartPath(address.folders);
  if (isStart && !DOCUMENTATION_HOST_PATTERN.test(address.host)) return { type: "home", confidence: 0.95 };
  const points: Points = { article: 0, product: 0, category: 0, comparison: 0, documentation: 0 };
  if (address) addAddressPoints(points, address);
  for (const type of structuredTypes) if (type in points) points[type as DetectableType] += 4 / structuredTypes.length;
  addHeadPoints(points, page);
  addTextPoints(points, page);
  addShapePoints(points, page);
  const [first, second] = Object.entries(points).toSorted(([, one], [, other]) => other - one) as [
    [DetectableType, number],
    [DetectableType, number],
  ];
  if (isStart || first[1] < MIN_POINTS) return chooseFallbackType(structuredTypes, first[1], isStart);
  return { type: first[0], confidence: roundToHundredths(first[1] / (first[1] + second[1] + 1)) };
}

function chooseFallbackType(structuredTypes: readonly PageType[], most: number, isStart: boolean) {
  if (isStart || structuredTypes.includes("home")) return { type: "home", confidence: 0.6 } as const;
  return { type: "other", confidence: roundToHundredths(1 - most / (2 * MIN_POINTS)) } as const;
}

const roundToHundredths = (share: number) => Math.round(100 * share) / 100;

interface ParsedAddress {
  host: string;
  folders: readonly string[];
}

export function parseAddress(url: string): ParsedAddress | null {
  if (!URL.canParse(url)) return null;
  const { hostname, pathname } = new URL(url);
  return {
    host: hostname.replace(/^www\./, ""),
    folders: decodePath(pathname).toLowerCase().split("/").filter(Boolean),
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function isStartPath(folders: readonly string[]): boolean {
  const rest = LOCALE_FOLDER_PATTERN.test(folders[0] ?? "") ? folders.slice(1) : folders;
  return rest.length === 0 || (rest.length === 1 && START_FILE_PATTERN.test(rest[0] ?? ""));
}

function addAddressPoints(points: Points, { host, folders }: ParsedAddress) {
  if (DOCUMENTATION_HOST_PATTERN.test(host)) points.documentation += 4;
  const last = folders.at(-1) ?? "";
  const within = folders.slice(0, -1);
  for (const type of Object.keys(FOLDERS) as DetectableType[])
    if (within.some((folder) => FOLDERS[type].has(folder))) points[type] += type === "comparison" ? 3 : 2;
  if (COMPARISON_SLUG_PATTERN.test(last) || FOLDERS.comparison.has(last)) points.comparison += 2;
  if (FOLDERS.documentation.has(last)) points.documentation += 2;
  // The index of posts or products, such as /blog or /products, is a list.
  if (FOLDERS.product.has(last) || FOLDERS.article.has(last)) points.category += 2;
  if (FOLDERS.category.has(last)) points.category += 2;
  if (/(?:^|\/)20\d\d\/\d{1,2}\//.test(`${folders.join("/")}/`) && within.length > 1) points.article += 2;
}

function addHeadPoints(points: Points, page: ParsedPage) {
  const meta = (name: string) =>
    page.metas
      .find((one) => one.name === name)
      ?.content.trim()
      .toLowerCase() ?? "";
  const ogType = meta("og:type");
  if (ogType === "article") points.article += 1.5;
  if (/^(?:og:)?product(?:\.item)?$/.test(ogType)) points.product += 3;
  if (ogType === "product.group") points.category += 3;
  if (meta("product:price:amount") !== "") points.product += 2;
  if (DOCUMENTATION_TOOL_PATTERN.test(meta("generator"))) points.documentation += 4;
  const title = `${page.titles[0]?.text ?? ""} ${page.headings.find(({ level }) => level === 1)?.text ?? ""}`.slice(
    0,
    500,
  );
  if (TITLE_PATTERNS.comparison.test(title)) points.comparison += 3;
  if (TITLE_PATTERNS.documentation.test(title)) points.documentation += 1.5;
  if (page.links.some(({ rel }) => rel.includes("next") || rel.includes("prev"))) points.category += 1;
}

function addTextPoints(points: Points, page: ParsedPage) {
  let [prices, code, long] = [0, 0, 0];
  let [buys, lists] = [false, false];
  for (const block of page.blocks.slice(0, MAX_BLOCKS)) {
    if (!block.isInMain) continue;
    if (block.kind === "code") code += 1;
    else if (block.kind === "paragraph" && block.wordCount >= 30 && block.linked < 0.5) long += 1;
    if (block.wordCount > 40) continue;
    if (prices < MIN_LIST_PRICES && PRICE_PATTERN.test(block.text)) prices += 1;
    buys ||= PURCHASE_TEXT_PATTERN.test(block.text);
    lists ||= LISTING_TEXT_PATTERN.test(block.text);
  }
  if (buys) points.product += 2;
  if (prices > 0 && prices < MIN_LIST_PRICES) points.product += 1;
  if (prices >= MIN_LIST_PRICES && long < 5) points.category += 2.5;
  if (lists) points.category += 1.5;
  if (code >= 2) points.documentation += 2;
  if (long >= 3) points.article += 1.5;
}

function addShapePoints(points: Points, page: ParsedPage) {
  const { published, modified } = findStatedFacts(page);
  if (published.length > 0) points.article += 2;
  else if (modified.length > 0 || page.times.length > 0) points.article += 0.5;
  if (page.bylines.length > 0) points.article += 1;
  const blocks = page.blocks.filter(({ isInMain }) => isInMain);
  const words = blocks.reduce((sum, block) => sum + block.wordCount, 0);
  const linked = blocks.reduce((sum, block) => sum + block.wordCount * block.linked, 0);
  const anchors = page.anchors.filter(({ isInMain }) => isInMain).length;
  if (anchors >= 15 && linked >= words / 2) points.category += 3;
  if (page.landmarks.filter(({ kind }) => kind === "article").length >= 4) points.category += 2;
  const compares = page.tables.some(
    ({ isInMain, isLayout, columnCount, rowCount }) => isInMain && !isLayout && columnCount >= 3 && rowCount >= 3,
  );
  if (compares && points.comparison > 0) points.comparison += 2;
}
