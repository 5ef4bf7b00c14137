import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { failed, passed, warned, definePageChecks } from "../check.ts";
import { parsePage } from "../parse-page.ts";

/** Percent of the rendered page's words that are in its HTML. */
const MIN_PASS_PERCENT = 80;
const MIN_WARN_PERCENT = 50;

export const SCRIPT_CHECKS = definePageChecks("crawlability", [
  {
    id: "content_without_scripts",
    title: "The text is in the HTML, without scripts",
    weight: 5,
    failureCap: 40,
    howToFix:
      "Render the text on the server or when the site is built. Of the crawlers for answers only Google's, Bing's and Apple's run scripts.",
    source: SOURCES.AI_CRAWLER_STUDY,
    strength: "measured_in_a_study",
    run({ page, fetched: { rendered } }) {
      if (rendered && "html" in rendered) {
        const { wordCount } = parsePage(rendered.html);
        const percent = wordCount === 0 ? 100 : Math.min(100, Math.round((100 * page.wordCount) / wordCount));
        const message = `The HTML has ${page.wordCount} of the ${wordCount} words that the page has after its scripts ran.`;
        if (percent < MIN_WARN_PERCENT) return failed(message);
        return percent < MIN_PASS_PERCENT ? warned(message) : passed(message);
      }
      if (page.isLikelyAppShell)
        return failed(
          `The HTML has ${page.wordCount} words and containers that scripts fill. The page was not rendered.`,
        );
      return passed(`The HTML has ${page.wordCount} words. The page was not rendered.`);
    },
  },
]);
