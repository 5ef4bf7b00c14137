import { wordGroups } from "../../words.ts";
import type { PageType } from "../page-type.ts";

// Words that tell types of pages apart in English, German, French, Spanish and Japanese. In lower case.

type Told = Exclude<PageType, "home" | "other">;

/** Folders of addresses, without their endings: what stands between two slashes. */
export const FOLDERS = Object.fromEntries(wordGroups("page_folders")) as Readonly<Record<Told, ReadonlySet<string>>>;
export const DOCUMENTATION_HOST = /^(?:docs?|developers?|devdocs|help|support|api|hilfe|aide|ayuda)\./;
export const DOCUMENTATION_GENERATOR =
  /^(?:docusaurus|sphinx|mkdocs|vitepress|gitbook|docsify|antora|mintlify|starlight|readme|hugo-book|asciidoctor)/;
/** Parts of the last folder of an address. */
export const COMPARES_IN_ADDRESS =
  /(?:^|-)(?:vs|versus|vergleich|im-vergleich|compared|comparison|comparatif|comparativa|alternatives)(?:-|$)|比較/;

/** What titles of a type say. */
export const TITLES: Readonly<Record<"comparison" | "documentation", RegExp>> = {
  comparison:
    /\b(?:vs\.?|versus|compared|comparison|alternatives to|alternatives|im vergleich|vergleich|vergleichstest|comparatif|comparaison|face à|comparativa|comparación|frente a)(?=[\s:,.!?)-]|$)|比較|の違い|対決/i,
  documentation:
    /\b(?:documentation|api reference|reference|installation|install|quick ?start|getting started|user guide|manual|configuration|dokumentation|bedienungsanleitung|anleitung|handbuch|einrichten|guide d'utilisation|prise en main|documentación|guía de usuario|instalación|primeros pasos)\b|ドキュメント|マニュアル|インストール|リファレンス|使い方/i,
};
/** What is on a button or label of what can be bought. */
export const BUYS =
  /\b(?:add to (?:cart|bag|basket)|buy now|in stock|out of stock|in den warenkorb|jetzt kaufen|auf lager|lieferbar|ajouter au panier|acheter maintenant|en stock|añadir al carrito|añadir a la cesta|comprar ahora)\b|カートに入れる|購入する|在庫あり/i;
export const PRICE = /(?:[$€£¥￥]|\b(?:USD|EUR|GBP|CHF)) ?\d|\d ?(?:[€円]|(?:EUR|USD|GBP|CHF|Euro)\b)/;
/** A result count or a choice of order, as lists of products and posts have. */
export const LISTS =
  /\d (?:products|results|items|articles|produkte|ergebnisse|produits|résultats|productos|resultados)\b|\b(?:sort by|filter by|sortieren nach|trier par|ordenar por|load more|mehr laden|charger plus|cargar más)\b|\d件|並び替え/i;
/** The first folder of an address where it names a language or country alone. */
export const LOCALE_FOLDER = /^[a-z]{2}(?:[-_][a-z]{2})?$/;
export const START_FILE = /^(?:index|default|home|start|startseite|accueil|inicio)(?:\.\w{2,5})?$/;
