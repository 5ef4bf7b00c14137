interface Place {
  country: string;
  language: string;
}

/** Where and in which language Google is asked. What it does not know the provider refuses. */
export function googlePlace({ country, language }: Place): { gl: string; hl: string } {
  return { gl: country === "GB" ? "uk" : country.toLowerCase(), hl: googleLanguage(language) };
}

/** Chinese and Portuguese are told by their region. */
function googleLanguage(tag: string): string {
  const [language = tag, region = ""] = tag.split("-");
  if (language === "zh") return ["TW", "HK", "MO"].includes(region) ? "zh-tw" : "zh-cn";
  if (language === "pt" && ["BR", "PT"].includes(region)) return tag.toLowerCase();
  return language;
}

/** The market of Bing: a language and a country. */
export function bingMarket({ country, language }: Place): { mkt: string } {
  return { mkt: `${language.split("-")[0]}-${country}` };
}
