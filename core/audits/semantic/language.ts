import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { failed, passed, skipped, definePageChecks } from "../check.ts";
import { guessLanguage, toPrimaryTag } from "../page-facts/languages.ts";

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
  ja: "Japanese",
  it: "Italian",
  pt: "Portuguese",
  nl: "Dutch",
};

export const LANGUAGE_CHECKS = definePageChecks("semantic", [
  {
    id: "language_declared",
    title: "The page declares its language",
    weight: 2,
    howToFix: 'Write the language as a BCP 47 tag on the html element: <html lang="en"> or <html lang="de-AT">.',
    source: SOURCES.WCAG_LANGUAGE,
    strength: "practice",
    run({ page }) {
      const { language } = page;
      if (language === null || language === "") return failed("The html element has no lang attribute.");
      if (!isLanguageTag(language))
        return failed("The lang attribute is no valid BCP 47 tag.", [{ excerpt: language.slice(0, 50), line: null }]);
      return passed("The page declares its language.");
    },
  },
  {
    id: "language_matches",
    title: "The declared language matches the text",
    weight: 2,
    howToFix: "Set the lang attribute of the html element to the language that the main content is written in.",
    source: SOURCES.BING_GUIDELINES,
    strength: "practice",
    run({ page }) {
      const declared = toPrimaryTag(page.language);
      if (!declared) return skipped("The page declares no language.");
      const found = guessLanguage(page);
      if (found === null)
        return skipped("The text is too short to detect its language, or its language is not supported.");
      if (found === declared) return passed(`The text is ${LANGUAGE_NAMES[found]}, as declared.`);
      return failed(`The text is ${LANGUAGE_NAMES[found]}; the page declares another language.`, [
        { excerpt: `lang="${declared.slice(0, 50)}"`, line: null },
      ]);
    },
  },
]);

/** Well-formed, with a known language. */
function isLanguageTag(tag: string): boolean {
  if (tag.length > 35 || tag.includes("_")) return false;
  try {
    const { language } = new Intl.Locale(tag);
    return languageDisplayNames.of(language) !== language || language === "und";
  } catch {
    return false;
  }
}
const languageDisplayNames = new Intl.DisplayNames("en", { type: "language" });
