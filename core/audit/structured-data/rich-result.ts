/** Items that a rule is for, besides their type. */
type Where =
  /** Wherever they stand. */
  | "anywhere"
  /** What the page is of: at the top, or the entry of a list. Not what another item names in passing. */
  | "main"
  /** Values of one of these properties of an item of one of these types. */
  | { property: readonly string[]; of: readonly string[] };

/** What a search engine asks of items of a type, so that it can show them. Paths are parted by `.`, alternatives by `|`. */
export interface RichResult {
  name: string;
  /** With their subtypes, but for those in `not`. */
  type: string;
  not?: readonly string[];
  where: Where;
  required?: readonly string[];
  recommended?: readonly string[];
  /** Required but where the item is a value of one of these properties. */
  requiredUnless?: { property: readonly string[]; required: readonly string[] };
  /** Google shows it no more: what it asked for is recommended still. */
  isRetired?: true;
  source: string;
}

/** A page of Google's documentation of structured data. */
export const googleGuide = (page: string): string =>
  `https://developers.google.com/search/docs/appearance/structured-data/${page}`;
