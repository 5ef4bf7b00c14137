import type { PageCheck, SiteCheck, SiteSubject } from "../../../core/audits/check.ts";
import type { FetchedPage, PageHeaders } from "../../../core/audits/fetched-page.ts";
import { subjectOf, written } from "../find-on-page.ts";

export const PAGE = "https://shop.test/kettles";

/** Response and site of a case; by default a page that responds immediately. */
export interface Given extends Partial<Pick<FetchedPage, "url" | "redirects" | "status" | "responseMs" | "rendered">> {
  finalUrl?: string;
  html?: string;
  headers?: Partial<PageHeaders>;
  site?: Partial<SiteSubject>;
}

/** Finding of a page check: outcome, message, and evidence as `line: excerpt`. */
export function findOf(checks: readonly PageCheck[], id: string, given: Given): string[] {
  const { finalUrl = PAGE, html = "<p>Kettles", headers, site, ...answer } = given;
  const subject = subjectOf(html, { url: finalUrl });
  const fetched = { ...subject.fetched, ...answer, headers: { ...subject.fetched.headers, ...headers } };
  const check = named(checks, id);
  return written(check.run({ ...subject, fetched, site: { ...subject.site, origin: "https://shop.test", ...site } }));
}

export function findOfSite(checks: readonly SiteCheck[], id: string, given: Partial<SiteSubject>): string[] {
  const site: SiteSubject = {
    origin: "https://shop.test",
    robots: { text: "", status: 200 },
    sitemap: { unread: "It was not looked for." },
    llmsTxt: null,
    ...given,
  };
  return written(named(checks, id).run(site));
}

function named<Check extends { id: string }>(checks: readonly Check[], id: string): Check {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check ${id}`);
  return check;
}
