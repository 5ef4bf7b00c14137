import { isSure, type Said, type Sentence } from "./said.ts";

const LANGUAGES = ["en", "de", "fr", "es", "ja"];
const ALSO: Readonly<Record<string, string>> = {
  US: "U.S.A.|U.S.|USA|US|the States|Vereinigten Staaten",
  GB: "U.K.|UK|Britain|Vereinigten Königreich",
  AE: "UAE|Vereinigten Arabischen Emiraten",
};
const SOLD =
  /\b(?:available|availability|sold|sells?|launched|released|offered|on sale|ships?|buy|erhältlich|verfügbar|verkauft|disponible|vendue?|vendido)\b|発売|販売|入手/iu;
const NOT_SOLD =
  /\b(?:unavailable|not (?:\(?yet\)? )?(?:\p{L}+ ){0,2}(?:available|sold|launched|released|offered|for sale)|isn['’]t (?:\p{L}+ ){0,2}(?:available|sold|launched|released|offered)|hard to (?:get|buy|find) (?:in|there|here)|no(?:t)? (?:official )?(?:release|launch|availability)|can['’]?(?:not|t) (?:be bought|buy)|banned|nicht (?:\p{L}+ ){0,2}(?:erhältlich|verfügbar)|pas (?:\p{L}+ ){0,2}(?:disponible|vendue?)|no (?:está|es) disponible)(?!\p{L})|未発売|販売されていません|入手できません/iu;

/** What is said of where a product can be had. */
export function readAvailability(
  { country, available }: { country: string; available: boolean },
  sentences: readonly Sentence[],
): Said | undefined {
  const named = countryPattern(country);
  for (const sentence of sentences) {
    if (!named.test(sentence.text) || !isSure(sentence)) continue;
    const said = saysOf(sentence.text);
    if (said !== undefined) return { verdict: said === available ? "agreed" : "contradicted", statement: sentence };
  }
  return undefined;
}

function saysOf(text: string): boolean | undefined {
  if (NOT_SOLD.test(text)) return false;
  // Whatever else is denied in it: that it can be had is not said for sure.
  return SOLD.test(text) &&
    !/\b(?:not|no|n['’]t|limited|nicht|kein|pas|soon|will|outside|except)\b|ない|ません/iu.test(text)
    ? true
    : undefined;
}

const known = new Map<string, RegExp>();

/** The names of a country in five languages. */
function countryPattern(country: string): RegExp {
  const pattern = known.get(country) ?? compile(country);
  known.set(country, pattern);
  return pattern;
}

function compile(country: string): RegExp {
  const names = LANGUAGES.map(
    (language) => new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country,
  );
  const all = [...names, ...(ALSO[country]?.split("|") ?? [])];
  const escaped = all.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  // In its own case: "us" is no country.
  return new RegExp(String.raw`(?<![\p{L}])(?:${escaped.join("|")})(?![\p{Script=Latin}])`, "u");
}
