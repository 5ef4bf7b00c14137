import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, warned, definePageChecks } from "../check.ts";
import { countNoun } from "../count-noun.ts";
import { createTextEvidence } from "./site-robots.ts";

/** Crawlers follow at least five to robots.txt (RFC 9309, 2.3.1.2), some no more for pages. */
const MAX_REDIRECTS = 5;
const TEMPORARY_STATUSES = new Set([302, 303, 307]);

type RedirectHop = { url: string; status: number; to: string };
const createHopEvidence = ({ url, status, to }: RedirectHop) => createTextEvidence(`${status}: ${url} → ${to}`);

export const REDIRECT_CHECKS = definePageChecks("crawlability", [
  {
    id: "redirect_chain",
    of: "address",
    title: "The address answers after one redirect at most",
    weight: 2,
    howToFix: "Redirect directly to the final address; link to that one and list it in the sitemap.",
    source: SOURCES.GOOGLE_CRAWL_BUDGET,
    strength: "documented_by_an_engine",
    run({ fetched: { redirects } }) {
      const evidence = redirects.map(createHopEvidence);
      if (new Set(redirects.map(({ url }) => url)).size < redirects.length)
        return failed("The redirects form a loop.", evidence);
      if (redirects.length >= MAX_REDIRECTS)
        return failed(`The address answers after ${redirects.length} redirects; some crawlers give up.`, evidence);
      if (redirects.length > 1) return warned(`The address answers after ${redirects.length} redirects.`, evidence);
      return passed(
        redirects.length === 0 ? "The address answers without a redirect." : "The address answers after one redirect.",
      );
    },
  },
  {
    id: "redirect_permanent",
    of: "address",
    title: "Redirects are permanent",
    weight: 1,
    howToFix: "Redirect with status 301 or 308 where the page has moved for good: engines then show the new address.",
    source: SOURCES.GOOGLE_REDIRECTS,
    strength: "documented_by_an_engine",
    run({ fetched: { redirects } }) {
      const temporary = redirects.filter(({ status }) => TEMPORARY_STATUSES.has(status));
      if (temporary.length > 0)
        return warned(
          `${countNoun(temporary.length, "redirect")} on the way to the page ${temporary.length === 1 ? "is" : "are"} temporary.`,
          temporary.map(createHopEvidence),
        );
      return passed(redirects.length === 0 ? "The address does not redirect." : "Redirects are permanent.");
    },
  },
  {
    id: "https",
    of: "address",
    title: "The page is served over https",
    weight: 2,
    howToFix: "Serve the page over https, and redirect its http address there with status 301.",
    source: SOURCES.GOOGLE_HTTPS,
    strength: "documented_by_an_engine",
    run({ fetched: { finalUrl, redirects } }) {
      if (!isSecure(finalUrl)) return failed("The page is served over http.", [createTextEvidence(finalUrl)]);
      const open = redirects.filter(({ url, to }) => isSecure(url) && !isSecure(to));
      if (open.length > 0) return warned("A redirect leads from https to http.", open.map(createHopEvidence));
      return passed("The page is served over https.");
    },
  },
  {
    id: "refresh_redirect",
    title: "The page does not redirect by a meta tag",
    weight: 1,
    howToFix: "Redirect with HTTP status 301 or 308, which every crawler follows.",
    source: SOURCES.GOOGLE_REDIRECTS,
    strength: "documented_by_an_engine",
    run({ page }) {
      const refreshes = page.metas.filter(
        ({ name, content }) => name === "refresh" && /^[\s\d.]*[;,]\s*\S/.test(content),
      );
      if (refreshes.length === 0) return passed("The page does not redirect by a meta tag.");
      return warned(
        "The page redirects by a meta tag.",
        refreshes.map(({ content, offset }) => createEvidence(page, { text: content, offset })),
      );
    },
  },
]);

function isSecure(address: string): boolean {
  return new URL(address).protocol === "https:";
}
