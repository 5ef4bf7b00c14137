import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { evidenceAt, failed, passed, warned, type CheckEvidence, pageChecks } from "../check.ts";
import { countWords } from "../parsing/count-words.ts";
import { walkTags } from "../parsing/walk-tags.ts";

/** Elements that support data-nosnippet. */
const TAKES_IT = new Set(["div", "section", "span"]);
const UNSEEN = new Set(["script", "style", "template", "title"]);
/** Percent of a page's words. */
const MUCH = 20;
const MOST = 50;

export const SNIPPET_PART_CHECKS = pageChecks("crawlability", [
  {
    id: "data_nosnippet",
    title: "No large part of the text is kept out of snippets",
    weight: 2,
    howToFix: "Keep data-nosnippet for parts that no answer should quote, and take it off the main content.",
    source: SOURCES.GOOGLE_ROBOTS_META,
    strength: "documented_by_an_engine",
    run({ page, fetched }) {
      const none = passed("No part of the text is kept out of snippets.");
      // Most pages have none; this avoids a second walk.
      if (!/data-nosnippet/i.test(fetched.html)) return none;
      const { words, hidden, places } = countHidden(fetched.html);
      if (places.length === 0) return none;
      const percent = words === 0 ? 0 : Math.round((100 * hidden) / words);
      const message = `data-nosnippet keeps ${percent} % of the words out of snippets.`;
      const evidence = places.map((at): CheckEvidence =>
        evidenceAt(page, { text: fetched.html.slice(at, at + 100), at }),
      );
      if (percent > MOST) return failed(message, evidence);
      return percent > MUCH ? warned(message, evidence) : passed(message);
    },
  },
]);

/** Counts words, words inside data-nosnippet, and the offsets of the first five such elements. */
function countHidden(html: string): { words: number; hidden: number; places: readonly number[] } {
  const places: number[] = [];
  let [words, hidden, inHidden, inUnseen] = [0, 0, 0, 0];
  walkTags(html, {
    open({ name, at, attributes }) {
      if (UNSEEN.has(name)) {
        inUnseen += 1;
        return [() => (inUnseen -= 1)];
      }
      if (!attributes.has("data-nosnippet") || !TAKES_IT.has(name)) return [];
      if (places.length < 5) places.push(at);
      inHidden += 1;
      return [() => (inHidden -= 1)];
    },
    text(text) {
      if (inUnseen > 0) return;
      const counted = countWords(text);
      words += counted;
      if (inHidden > 0) hidden += counted;
    },
  });
  return { words, hidden, places };
}
