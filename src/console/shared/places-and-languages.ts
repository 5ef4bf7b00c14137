import { foldName } from "../../../core/shared/names.ts";

// Countries and languages as forms offer them, by their English names.

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const languages = new Intl.DisplayNames("en", { type: "language" });
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
/** Codes of unions and of tests, which are no countries (CLDR). */
const NO_COUNTRIES = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

/** Every country with its code (ISO 3166-1 alpha-2), by name. */
export const COUNTRIES: readonly (readonly [code: string, name: string])[] = countries();

function countries() {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes
    .flatMap((code) => {
      // A code that was given up stands for the one that took its place.
      const isOwn = new Intl.Locale(`und-${code}`).region === code;
      const name = isOwn && !NO_COUNTRIES.has(code) ? regions.of(code) : undefined;
      return name === undefined ? [] : [[code, name] as const];
    })
    .toSorted(([, a], [, b]) => a.localeCompare(b, "en"));
}

/** The code of a country that a person names by its code or its name; undefined for what is none. */
export function countryCalled(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  const found = COUNTRIES.find(([known, name]) => known === code || foldName(name) === foldName(text.trim()));
  return found?.[0];
}

const TAGS =
  "en de fr es ja ar bg cs da el et fi he hi hr hu id it ko lt lv nl no pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh".split(
    " ",
  );

/** Languages with their tags (BCP 47), by name. */
export const LANGUAGES: readonly (readonly [tag: string, name: string])[] = TAGS.map(
  (tag) => [tag, languages.of(tag) ?? tag] as const,
).toSorted(([, a], [, b]) => a.localeCompare(b, "en"));
