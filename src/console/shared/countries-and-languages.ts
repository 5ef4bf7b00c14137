import { foldName } from "../../../core/shared/names.ts";

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const languageNames = new Intl.DisplayNames("en", { type: "language" });
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
/** CLDR region codes for unions and tests, which are no countries. */
const NON_COUNTRY_CODES = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

/** ISO 3166-1 alpha-2 codes, sorted by name. */
export const COUNTRIES: readonly (readonly [code: string, name: string])[] = listCountries();

function listCountries() {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes
    .flatMap((code) => {
      // Skips deprecated codes, which map to their successor.
      const isOwn = new Intl.Locale(`und-${code}`).region === code;
      const name = isOwn && !NON_COUNTRY_CODES.has(code) ? regionNames.of(code) : undefined;
      return name === undefined ? [] : [[code, name] as const];
    })
    .toSorted(([, a], [, b]) => a.localeCompare(b, "en"));
}

/** Matches a code or a name; undefined if unknown. */
export function findCountryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  const found = COUNTRIES.find(([known, name]) => known === code || foldName(name) === foldName(text.trim()));
  return found?.[0];
}

const LANGUAGE_TAGS =
  "en de fr es ja ar bg cs da el et fi he hi hr hu id it ko lt lv nl no pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh".split(
    " ",
  );

/** BCP 47 tags, sorted by name. */
export const LANGUAGES: readonly (readonly [tag: string, name: string])[] = LANGUAGE_TAGS.map(
  (tag) => [tag, languageNames.of(tag) ?? tag] as const,
).toSorted(([, a], [, b]) => a.localeCompare(b, "en"));
