import type { CheckFinding, PageCheck, PageSubject } from "../../core/audits/check.ts";
import type { PageType } from "../../core/audits/page-type.ts";
import { parsePage } from "../../core/audits/parse-page.ts";

/** Context of a check besides the HTML. */
export interface PageContext {
  url?: string;
  pageType?: PageType;
  names?: readonly string[];
  at?: string;
}

export function runCheckOnPage(
  checks: readonly PageCheck[],
  id: string,
  html: string,
  beside: PageContext = {},
): CheckFinding {
  const check = checks.find((one) => one.id === id);
  if (!check || check.of === "address") throw new Error(`no check ${id} of a page`);
  return check.run(createSubject(html, beside));
}

export function createSubject(html: string, { url, pageType, names, at }: PageContext): PageSubject {
  const finalUrl = url ?? "https://www.example.com/guides/kettles";
  return {
    page: parsePage(html),
    pageType: pageType ?? "article",
    brandNames: names ?? [],
    fetchedAtMs: Date.parse(at ?? "2026-06-01"),
    fetched: {
      url: finalUrl,
      finalUrl,
      redirects: [],
      status: 200,
      headers: {
        contentType: "text/html",
        xRobotsTag: [],
        link: [],
        contentLanguage: null,
        cacheControl: null,
        etag: null,
        lastModified: null,
      },
      responseMs: 1,
      bytes: html.length,
      html,
      encoding: "utf-8",
      isTruncated: false,
    },
    site: {
      origin: new URL(finalUrl).origin,
      robots: { text: "", status: 200 },
      sitemap: { unread: "not read" },
      llmsTxt: null,
    },
  };
}

/** Pages by title with the expected finding: outcome, message, and evidence as `line: excerpt`. */
export type CheckCases = readonly (readonly [
  title: string,
  html: string,
  found: readonly string[],
  beside?: PageContext,
])[];

/** A finding in the notation of cases. */
export const findingLines = ({ outcome, message, evidence }: CheckFinding): string[] => [
  outcome,
  message,
  ...evidence.map(({ line, excerpt }) => `${line ?? "-"}: ${excerpt}`),
];
