import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import {
  type AddressSubject,
  type CheckDeclaration,
  type CheckEvidence,
  type CheckFinding,
  type PageCheck,
  type PageSubject,
  createEvidence,
  failed,
  passed,
  warned,
} from "../check.ts";
import { AI_CRAWLERS } from "../site-files/ai-crawlers.ts";
import { createTextEvidence } from "./site-robots.ts";

interface RobotsDirective {
  /** Token as in robots.txt; null for all crawlers. */
  crawler: string | null;
  /** In lower case. */
  name: string;
  /** For example of `max-snippet`; "" without a value. */
  value: string;
  evidence: CheckEvidence;
}

/** Per page or header. */
const MAX_DIRECTIVES = 200;
const DIRECTIVES_WITH_VALUE = new Set(["max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"]);
/** By their names in rules; rules for other crawlers do not affect answers. */
const CRAWLERS: ReadonlyMap<string, string> = new Map([
  ...AI_CRAWLERS.filter(({ tier }) => tier === "search").map(({ token }) => [token.toLowerCase(), token] as const),
  ["msnbot", "bingbot"],
]);

function listMetaDirectives({ page }: PageSubject): RobotsDirective[] {
  return page.metas
    .filter(({ name }) => name === "robots" || CRAWLERS.has(name))
    .slice(0, MAX_DIRECTIVES)
    .flatMap(({ name, content, offset }) => {
      const crawler = CRAWLERS.get(name) ?? null;
      const evidence = createEvidence(page, { text: `<meta name="${name}" content="${content}">`, offset });
      return content.split(",", MAX_DIRECTIVES).map((text) => ({ crawler, ...parseDirective(text), evidence }));
    })
    .filter(({ name }) => name)
    .slice(0, MAX_DIRECTIVES);
}

/** In X-Robots-Tag, a crawler's name applies to the rest of its line. */
function listHeaderDirectives({ fetched }: AddressSubject): RobotsDirective[] {
  return fetched.headers.xRobotsTag
    .flatMap((line) => {
      const evidence = createTextEvidence(`X-Robots-Tag: ${line}`);
      let crawler: string | null | undefined = null;
      return line.split(",", MAX_DIRECTIVES).flatMap((text) => {
        const { name, value } = parseDirective(text);
        const isAgent = text.includes(":") && !DIRECTIVES_WITH_VALUE.has(name);
        if (isAgent) crawler = CRAWLERS.get(name);
        if (crawler === undefined) return [];
        return [{ crawler, ...(isAgent ? parseDirective(value) : { name, value }), evidence }];
      });
    })
    .filter(({ name }) => name)
    .slice(0, MAX_DIRECTIVES);
}

function parseDirective(text: string): { name: string; value: string } {
  const colon = text.indexOf(":");
  const [name, value] = colon === -1 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  return { name: name.trim().toLowerCase(), value: value.trim().toLowerCase() };
}

/** A shorter `max-snippet` warns; 160 characters is the typical length of a snippet. */
const MIN_SNIPPET_LENGTH = 160;

/** Used for meta tags and headers. */
interface IndexingRule extends Omit<CheckDeclaration, "id" | "area" | "strength"> {
  id: string;
  judge(directives: readonly RobotsDirective[]): CheckFinding;
}

const INDEXING_RULES: readonly IndexingRule[] = [
  {
    id: "noindex",
    title: "may be indexed",
    weight: 4,
    failureCap: 20,
    howToFix: "Remove noindex (or none) from pages that answers should show.",
    source: SOURCES.GOOGLE_ROBOTS_META,
    judge: (directives) =>
      toFinding(
        directives.filter(({ name }) => name === "noindex" || name === "none"),
        {
          none: "No rule keeps the page out of indexes.",
          all: "A rule keeps the page out of all indexes.",
          some: (names) => `A rule keeps the page out of the index of ${names}.`,
        },
      ),
  },
  {
    id: "nosnippet",
    title: "may be shown with a snippet",
    weight: 3,
    failureCap: 60,
    howToFix:
      "Remove nosnippet and max-snippet:0: a page without a snippet cannot be cited in AI Overviews or AI Mode. Keep single parts out with data-nosnippet.",
    source: SOURCES.GOOGLE_AI_FEATURES,
    judge(directives) {
      const none = directives.filter(
        ({ name, value }) => name === "nosnippet" || isSnippetLengthBetween(name, value, 0, 0),
      );
      if (none.length > 0)
        return toFinding(none, {
          all: "A rule forbids snippets of the page.",
          some: (names) => `A rule forbids snippets of the page for ${names}.`,
        });
      const short = directives.filter(({ name, value }) =>
        isSnippetLengthBetween(name, value, 1, MIN_SNIPPET_LENGTH - 1),
      );
      if (short.length === 0) return passed("No rule forbids snippets of the page.");
      return warned(
        `A rule allows snippets of less than ${MIN_SNIPPET_LENGTH} characters.`,
        listDistinctEvidence(short),
      );
    },
  },
  {
    id: "noarchive",
    title: "may be used in Copilot's answers",
    weight: 2,
    howToFix:
      "Remove noarchive, with which Bing leaves the page out of Copilot's answers, and nocache, with which it uses no more than address, title and snippet.",
    source: SOURCES.BING_ANSWER_CONTROLS,
    judge(directives) {
      const ofBing = directives.filter(({ crawler }) => crawler === null || crawler === "bingbot");
      const cache = ofBing.filter(({ name }) => name === "nocache");
      const archive = ofBing.filter(({ name }) => name === "noarchive");
      // Bing follows `nocache` on pages that also have `noarchive`.
      if (cache.length > 0)
        return warned(
          "With nocache Copilot uses no more of the page than address, title and snippet.",
          listDistinctEvidence(cache),
        );
      if (archive.length > 0)
        return failed("With noarchive Copilot's answers leave the page out.", listDistinctEvidence(archive));
      return passed("No rule keeps the page out of Copilot's answers.");
    },
  },
];

function isSnippetLengthBetween(name: string, value: string, least: number, most: number): boolean {
  return name === "max-snippet" && /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;
}

/** Fails for a rule that applies to all crawlers, warns if it applies to some. */
function toFinding(
  directives: readonly RobotsDirective[],
  says: { none?: string; all: string; some: (names: string) => string },
): CheckFinding {
  if (directives.length === 0) return passed(says.none ?? "");
  if (directives.some(({ crawler }) => crawler === null)) return failed(says.all, listDistinctEvidence(directives));
  const names = [...new Set(directives.map(({ crawler }) => crawler))].join(", ");
  return warned(says.some(names), listDistinctEvidence(directives));
}

function listDistinctEvidence(directives: readonly RobotsDirective[]) {
  return [...new Set(directives.map(({ evidence }) => evidence))];
}

function declareCheck(
  { id, title, weight, failureCap, howToFix, source }: IndexingRule,
  [where, phrase]: readonly [string, string],
) {
  return {
    id: `${where}_${id}`,
    area: "crawlability",
    title: `By its ${phrase} the page ${title}`,
    weight,
    ...(failureCap === undefined ? {} : { failureCap }),
    howToFix,
    source,
    strength: "documented_by_an_engine",
  } as const satisfies CheckDeclaration;
}

/** Header checks belong to the address, since headers change independently of the HTML. */
export const INDEXING_CHECKS: readonly PageCheck[] = INDEXING_RULES.flatMap((rule): PageCheck[] => [
  { ...declareCheck(rule, ["meta", "meta tags"]), run: (subject) => rule.judge(listMetaDirectives(subject)) },
  {
    ...declareCheck(rule, ["header", "X-Robots-Tag headers"]),
    of: "address",
    run: (subject: AddressSubject) => rule.judge(listHeaderDirectives(subject)),
  },
]);
