import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { failed, passed, skipped, warned, definePageChecks } from "../check.ts";

/** Limits of a good, and of a not yet poor time to first byte (web.dev). */
const MAX_GOOD_RESPONSE_MS = 800;
const MAX_FAIR_RESPONSE_MS = 1800;
/** A site may reject only some crawlers with these statuses. */
const CRAWLER_SPECIFIC_STATUSES = new Set([403, 429, 503]);

export const ANSWER_CHECKS = definePageChecks("crawlability", [
  {
    id: "status",
    of: "address",
    title: "The page answers with status 200",
    weight: 5,
    failureCap: 10,
    howToFix: "Serve the page with status 200 to everyone, or redirect its address to the page that replaces it.",
    source: SOURCES.GOOGLE_STATUS,
    strength: "documented_by_an_engine",
    run({ fetched: { status } }) {
      if (status === 200) return passed("The page answers with status 200.");
      if (CRAWLER_SPECIFIC_STATUSES.has(status))
        return skipped(`The page answers our requests with status ${status}, but it may answer other visitors.`);
      if (status >= 200 && status < 300)
        return warned(`The page answers with status ${status}, with which engines may leave it out.`);
      if (status === 401) return failed("The page asks for a sign-in (status 401).");
      if (status === 404 || status === 410) return failed(`There is no page at the address (status ${status}).`);
      return failed(`The page answers with status ${status}.`);
    },
  },
  {
    id: "response_time",
    of: "address",
    title: `The page answers within ${MAX_GOOD_RESPONSE_MS} ms`,
    weight: 1,
    howToFix:
      "Serve the page from a cache near its readers, and look at what the server does before its first byte. Fetchers that act while a person waits give up on slow pages.",
    source: SOURCES.WEB_DEV_TTFB,
    strength: "practice",
    run({ fetched: { status, responseMs } }) {
      if (status < 200 || status >= 300) return skipped(`The page answers with status ${status}.`);
      const message = `The page answered after ${Math.round(responseMs)} ms.`;
      if (responseMs > MAX_FAIR_RESPONSE_MS) return failed(message);
      return responseMs > MAX_GOOD_RESPONSE_MS ? warned(message) : passed(message);
    },
  },
]);
