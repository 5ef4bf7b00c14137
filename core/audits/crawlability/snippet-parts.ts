import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, warned, type CheckEvidence, definePageChecks } from "../check.ts";
import { countWords } from "../parsing/count-words.ts";
import { walkTags } from "../parsing/walk-tags.ts";

/** Elements that support data-nosnippet. */
const NOSNIPPET_ELEMENTS = new Set(["div", "section", "span"]);
const INVISIBLE_ELEMENTS = new Set(["script", "style", "template", "title"]);
/** Percent of a page's words inside data-nosnippet. */
const MAX_HIDDEN_PERCENT_TO_PASS = 20;
const MAX_HIDDEN_PERCENT_TO_WARN = 50;

export const SNIPPET_PART_CHECKS = definePageChecks("crawlability", [
  {
    id: "data_nosnippet",
    title: "No large part of the text is kept out of snippets",
    weight: 2,
    howToFix: "Keep data-nosnippet for parts that no answer should quote, and take it off the main content.",
    source: SOURCES.GOOGLE_ROBOTS_META,
    strength: "documented_by_an_engine",
    run({ page, fetched }) {
      const none = passed("No part of the text is kept out of snippets.");
      // Skips a second walk over the HTML for pages without data-nosnippet, which are most pages.
      if (!/data-nosnippet/i.test(fetched.html)) return none;
      const { wordCount, hiddenCount, offsets } = countHidden(fetched.html);
      if (offsets.length === 0) return none;
      const percent = wordCount === 0 ? 0 : Math.round((100 * hiddenCount) / wordCount);
      const message = `data-nosnippet keeps ${percent} % of the words out of snippets.`;
      const evidence = offsets.map((offset): CheckEvidence =>
        createEvidence(page, { text: fetched.html.slice(offset, offset + 100), offset }),
      );
      if (percent > MAX_HIDDEN_PERCENT_TO_WARN) return failed(message, evidence);
      return percent > MAX_HIDDEN_PERCENT_TO_PASS ? warned(message, evidence) : passed(message);
    },
  },
]);

/** Offsets of the first five such elements. */
function countHidden(html: string): { wordCount: number; hiddenCount: number; offsets: readonly number[] } {
  const offsets: number[] = [];
  let [wordCount, hiddenCount, inHidden, inUnseen] = [0, 0, 0, 0];
  walkTags(html, {
    onTagOpen({ name, offset, attributes }) {
      if (INVISIBLE_ELEMENTS.has(name)) {
        inUnseen += 1;
        return [() => (inUnseen -= 1)];
      }
      if (!attributes.has("data-nosnippet") || !NOSNIPPET_ELEMENTS.has(name)) return [];
      if (offsets.length < 5) offsets.push(offset);
      inHidden += 1;
      return [() => (inHidden -= 1)];
    },
    text(text) {
      if (inUnseen > 0) return;
      const counted = countWords(text);
      wordCount += counted;
      if (inHidden > 0) hiddenCount += counted;
    },
  });
  return { wordCount, hiddenCount, offsets };
}
