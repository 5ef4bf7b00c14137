import type { PageCheck, SiteCheck, SiteSubject } from "../../../core/audits/check.ts";
import type { FetchedPage, PageHeaders } from "../../../core/audits/fetched-page.ts";
import { createSubject, findingLines } from "../run-check-on-page.ts";

export const PAGE = "https://shop.test/kettles";

/** Response and site of a case; by default a page that responds immediately. */
export interface CheckedPage extends Partial<
  Pick<FetchedPage, "url" | "redirects" | "status" | "responseMs" | "rendered">
> {
  finalUrl?: string;
  html?: string;
  headers?: Partial<PageHeaders>;
  site?: Partial<SiteSubject>;
}

/** Finding of a page check: outcome, message, and evidence as `line: excerpt`. */
export function runPageCheck(checks: readonly PageCheck[], id: string, given: CheckedPage): string[] {
  const { finalUrl = PAGE, html = "<p>Kettles", headers, site, ...answer } = given;
  const subject = createSubject(html, { url: finalUrl });
  const fetched = { ...subject.fetched, ...answer, headers: { ...subject.fetched.headers, ...headers } };
  const check = findCheck(checks, id);
  return findingLines(
    check.run({ ...subject, fetched, site: { ...subject.site, origin: "https://shop.test", ...site } }),
  );
}

export function runSiteCheck(checks: readonly SiteCheck[], id: string, given: Partial<SiteSubject>): string[] {
  const site: SiteSubject = {
    origin: "https://shop.test",
    robots: { text: "", status: 200 },
    sitemap: { unread: "It was not looked for." },
    llmsTxt: null,
    ...given,
  };
  return findingLines(findCheck(checks, id).run(site));
}

function findCheck<Check extends { id: string }>(checks: readonly Check[], id: string): Check {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check ${id}`);
  return check;
}
