import { readSitemap } from "../../../core/audit/sitemap.ts";
import type { ListedPages, SitemapOrder } from "./check-thread.ts";

/** Redirects lead to other addresses than those that are audited: so many of a sitemap are kept beside these. */
export const MOST_OTHERS = 5000;

/** Which pages a sitemap lists, or which sitemaps an index. A page counts as listed with and without a slash at its end. */
export function listPages({ text, pages }: SitemapOrder): ListedPages {
  const { kind, entries, faults } = readSitemap(text);
  const urls = [...new Set(entries.map(({ url }) => url))];
  const said = { faults: faults.map(({ message }) => message) };
  if (kind === "index") return { listed: [], others: [], sitemaps: urls, ...said };
  const wanted = new Set(pages.flatMap((page) => [page, page.endsWith("/") ? page.slice(0, -1) : `${page}/`]));
  const listed = urls.filter((url) => wanted.has(url));
  const others = urls.filter((url) => !wanted.has(url)).slice(0, MOST_OTHERS);
  return { listed, others, sitemaps: [], ...said };
}
