import type { PageAuditInput } from "../../core/audits/audit-page.ts";
import type { SiteSubject } from "../../core/audits/check.ts";

export const START = "https://acme.test/";
export const SITE: SiteSubject = {
  origin: "https://acme.test",
  robots: { text: "", status: 200 },
  sitemap: { urls: [START], files: [], faults: [] },
  llmsTxt: null,
};
const HEADERS = { xRobotsTag: [], link: [], contentLanguage: null, cacheControl: null, etag: null, lastModified: null };

/** Order of a start page for the thread. */
export const createPageOrder = (html: string): PageAuditInput => ({
  fetched: {
    url: START,
    finalUrl: START,
    redirects: [],
    status: 200,
    headers: { contentType: "text/html", ...HEADERS },
    responseMs: 12,
    bytes: html.length,
    html,
    encoding: "UTF-8",
    isTruncated: false,
  },
  site: SITE,
  siteFindings: [],
  brandNames: ["Acme"],
  pageType: null,
  fetchedAtMs: 0,
});
