import { AI_CRAWLERS } from "../site-files/ai-crawlers.ts";
import { evidenceAt, type AddressSubject, type CheckEvidence, type PageSubject } from "../check.ts";
import { evidenceOf } from "./site-robots.ts";

/** A rule for robots in a meta tag or an X-Robots-Tag header. */
export interface Directive {
  /** Token of the crawler that it is for, as it is written in robots.txt; null where it is for all. */
  crawler: string | null;
  /** In lower case. */
  name: string;
  /** Of `max-snippet` and such; "" without one. */
  value: string;
  evidence: CheckEvidence;
}

/** Rules that a page or header has at most. */
const MOST_DIRECTIVES = 200;
/** Rules whose name a colon follows. */
const WITH_VALUE = new Set(["max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"]);
/** Search crawlers by the names that rules call them. Rules for others have no part in what answers show. */
const CRAWLERS: ReadonlyMap<string, string> = new Map([
  ...AI_CRAWLERS.filter(({ tier }) => tier === "search").map(({ token }) => [token.toLowerCase(), token] as const),
  ["msnbot", "bingbot"],
]);

/** Rules of `<meta name="robots">` and of meta tags that are named after a search crawler. */
export function metaDirectives({ page }: PageSubject): Directive[] {
  return page.metas
    .filter(({ name }) => name === "robots" || CRAWLERS.has(name))
    .slice(0, MOST_DIRECTIVES)
    .flatMap(({ name, content, at }) => {
      const crawler = CRAWLERS.get(name) ?? null;
      const evidence = evidenceAt(page, { text: `<meta name="${name}" content="${content}">`, at });
      return content.split(",", MOST_DIRECTIVES).map((text) => ({ crawler, ...readRule(text), evidence }));
    })
    .filter(({ name }) => name)
    .slice(0, MOST_DIRECTIVES);
}

/** Rules of X-Robots-Tag. A crawler that is named is named for what follows in its line. */
export function headerDirectives({ fetched }: AddressSubject): Directive[] {
  return fetched.headers.xRobotsTag
    .flatMap((line) => {
      const evidence = evidenceOf(`X-Robots-Tag: ${line}`);
      let crawler: string | null | undefined = null;
      return line.split(",", MOST_DIRECTIVES).flatMap((text) => {
        const { name, value } = readRule(text);
        const isAgent = text.includes(":") && !WITH_VALUE.has(name);
        if (isAgent) crawler = CRAWLERS.get(name);
        if (crawler === undefined) return [];
        return [{ crawler, ...(isAgent ? readRule(value) : { name, value }), evidence }];
      });
    })
    .filter(({ name }) => name)
    .slice(0, MOST_DIRECTIVES);
}

function readRule(text: string): { name: string; value: string } {
  const colon = text.indexOf(":");
  const [name, value] = colon === -1 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  return { name: name.trim().toLowerCase(), value: value.trim().toLowerCase() };
}
