import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { registrableDomain } from "../../identity/domains.ts";
import {
  createEvidence,
  failed,
  passed,
  warned,
  type CheckEvidence,
  type CheckFinding,
  definePageChecks,
  type PageSubject,
} from "../check.ts";
import { createTextEvidence } from "./site-robots.ts";

interface CanonicalLink {
  /** Null unless the address is http or https. */
  url: URL | null;
  evidence: CheckEvidence;
}

export const CANONICAL_CHECKS = definePageChecks("crawlability", [
  {
    id: "canonical",
    title: "The page names itself as its canonical address",
    weight: 3,
    howToFix:
      'Write one link in the head with the page\'s own full URL: <link rel="canonical" href="https://…">. Name another page only where this one repeats it.',
    source: SOURCES.GOOGLE_CANONICAL,
    strength: "documented_by_an_engine",
    run(subject) {
      const canonicals = findCanonicals(subject);
      const [first] = canonicals;
      if (!first) return warned("The page names no canonical address.");
      const evidence = canonicals.map((canonical) => canonical.evidence);
      const addresses = new Set(canonicals.map(({ url }) => url?.href ?? ""));
      if (addresses.size > 1)
        return failed(`The page names ${addresses.size} different canonical addresses.`, evidence);
      if (!first.url) return failed("The canonical address is not an http or https address.", evidence);
      return compareCanonical(first.url, new URL(subject.fetched.finalUrl), evidence);
    },
  },
]);

function compareCanonical(canonical: URL, page: URL, evidence: readonly CheckEvidence[]): CheckFinding {
  page.hash = "";
  if (canonical.href === page.href) return passed("The page names itself as its canonical address.");
  if (registrableDomain(canonical.href) !== registrableDomain(page.href))
    return failed(
      "The page names a page of another site as its canonical address, so engines show the other page instead.",
      evidence,
    );
  if (canonical.host !== page.host) return warned("The canonical address is on another host of the domain.", evidence);
  if (canonical.protocol !== page.protocol)
    return warned(
      `The canonical address begins with ${canonical.protocol}//, the page's with ${page.protocol}//.`,
      evidence,
    );
  if (canonical.hash !== "") return warned("The canonical address has a fragment (#).", evidence);
  if (canonical.pathname === page.pathname && canonical.search === "")
    return passed("The canonical address is the page's without its query.");
  return warned(
    "The page names another page as its canonical address, so engines show the other page instead.",
    evidence,
  );
}

/** HTML and Link header (RFC 8288, section 3; RFC 6596). */
function findCanonicals({ page, fetched: { finalUrl, headers } }: PageSubject): CanonicalLink[] {
  const base =
    page.baseHref !== null && URL.canParse(page.baseHref, finalUrl) ? new URL(page.baseHref, finalUrl).href : finalUrl;
  const ofHtml = page.links
    .filter(({ rel }) => rel.includes("canonical"))
    .map(({ href, offset }) => ({
      url: parseWebUrl(href, base),
      evidence: createEvidence(page, { text: href, offset }),
    }));
  const ofHeader = headers.link
    .flatMap((line) => line.split(/,(?=\s*<)/))
    .flatMap((link) => {
      const [, href, parameters = ""] = /^\s*<([^<>]*)>(.*)$/s.exec(link) ?? [];
      const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";]+))/i.exec(parameters) ?? [];
      const rel = (quoted ?? bare ?? "").toLowerCase().split(/\s+/);
      if (href === undefined || !rel.includes("canonical")) return [];
      return [{ url: parseWebUrl(href, finalUrl), evidence: createTextEvidence(`Link: ${link.trim()}`) }];
    });
  return [...ofHtml, ...ofHeader];
}

function parseWebUrl(href: string, base: string): URL | null {
  if (href.trim() === "" || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}
