import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { findCrawler } from "../site-files/ai-crawlers.ts";
import { failed, passed, skipped, warned, defineSiteChecks } from "../check.ts";

export const NETWORK_CHECKS = defineSiteChecks("crawlability", [
  {
    id: "crawlers_not_blocked",
    title: "The server treats crawlers like other visitors",
    weight: 4,
    failureCap: 50,
    howToFix:
      "Let the crawlers through at the firewall, bot protection or CDN, by the address ranges that their operators publish. Requests with their user agents came from our address, so allow lists by address may already let the real ones through.",
    source: SOURCES.OPENAI_CRAWLERS,
    strength: "documented_by_an_engine",
    run({ crawlerAnswers }) {
      if (!crawlerAnswers)
        return skipped("The domain is not verified: crawlers' user agents are tried only on verified domains.");
      const tried = crawlerAnswers.flatMap((answer) => {
        const crawler = findCrawler(answer.userAgent);
        return crawler && crawler.tier !== "training" ? [{ ...answer, token: crawler.token }] : [];
      });
      if (tried.length === 0) return skipped("No user agent of a crawler was tried.");
      if (tried.every(({ status }) => status >= 500))
        return skipped("The start page answered every user agent with a server error.");
      const refused = tried.filter(({ status }) => status >= 400);
      if (refused.length > 0) {
        const names = refused.map(({ token, status }) => `${token} (${status})`).join(", ");
        return failed(`The start page refuses ${refused.length} of ${tried.length} crawlers: ${names}.`);
      }
      const others = tried.filter(({ isSame }) => !isSame);
      if (others.length === 0) return passed(`The start page answers all ${tried.length} crawlers that were tried.`);
      const names = others.map(({ token }) => token).join(", ");
      return warned(`The start page shows ${others.length} of ${tried.length} crawlers something else: ${names}.`);
    },
  },
]);
