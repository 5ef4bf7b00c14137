import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { passed, warned, defineSiteChecks } from "../check.ts";

/** Reported only: no answer engine documents support, and Google says it has none. */
export const LLMS_TXT_CHECKS = defineSiteChecks("crawlability", [
  {
    id: "llms_txt",
    title: "Reported only: llms.txt",
    weight: 0,
    howToFix: "Nothing has to be fixed. A file that is there begins with one heading in Markdown: # Name of the site",
    source: SOURCES.LLMS_TXT,
    strength: "practice",
    run({ llmsTxt }) {
      if (llmsTxt === null) return passed("There is no llms.txt. No answer engine documents that it reads one.");
      if (/^\uFEFF?\s*#[ \t]+\S/.test(llmsTxt.slice(0, 10_000)))
        return passed("There is an llms.txt. No answer engine documents that it reads one.");
      return warned("llms.txt does not begin with a heading of the first level.");
    },
  },
]);
