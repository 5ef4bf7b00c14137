import type { z } from "zod";
import type { CitationSchema } from "../../../tools/metrics/citation-row.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderUntrustedText } from "../audits/labels.ts";
import { renderMetric, renderInterval, renderName, formatPercent } from "../shared/format-metrics.ts";
import { cursorPager, noMatchesNotice } from "../shared/filters.ts";
import { sortableHeaders } from "../shared/table-sort.ts";
import { updateQuery, sitesAddress } from "../shared/page-addresses.ts";
import type { Site, SiteList } from "../shared/read-sites.ts";
import { renderBasis } from "../shared/render-basis.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { formatSiteType, type SearchQueryRow, type Searches, type SitesView } from "./view.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

export const SITE_SORTS = { domain: "asc", answers: "desc", citations: "desc" } as const;

export const SEARCH_SORTS = { query: "asc", answers: "desc", prompts: "desc" } as const;

export const SITE_COLUMNS: readonly CsvColumn<z.output<typeof CitationSchema>>[] = [
  "domain",
  "url",
  "competitor_type",
  "brand",
  "answers",
  "citations",
  "share",
  "ci_low",
  "ci_high",
  "grade",
];

export const SEARCH_COLUMNS: readonly CsvColumn<SearchQueryRow>[] = [
  "query",
  "answers",
  "searches",
  "prompts",
  "share",
  "ci_low",
  "ci_high",
  "grade",
];

const DEFAULT_ORDER = { sort: "answers", direction: "desc" } as const;

export function renderList(view: SitesView): Html {
  return "sites" in view.shownList
    ? renderSiteList(view, view.shownList.sites)
    : searchList(view, view.shownList.searches);
}

function renderSiteList(view: SitesView, sites: SiteList): Html {
  const { query, ids } = view;
  const path = sitesAddress(ids);
  const noun = query.get("by") === "page" ? "page" : "site";
  const linkNoun = query.get("pages") === "retrieved" ? "pages read" : "citations";
  const head = sortableHeaders({ path, query, id: "sites", sorts: SITE_SORTS, usual: DEFAULT_ORDER });
  return tablePanel({
    id: "sites",
    title: formatCount(sites.total_count, noun),
    hint: html`Share of the ${formatCount(sites.citing_answers, "answer")} with ${linkNoun}.`,
    csv: { href: buildCsvAddress(view, `${noun}s`), rowCount: sites.total_count },
    table:
      sites.data.length === 0
        ? undefined
        : scrollTable({
            label: "Sites and pages with their shares",
            className: "sticky",
            columns: [
              head("domain", noun === "page" ? "Page" : "Site", "text"),
              "Kind of site",
              "Brand",
              { number: "Share" },
              head("answers", "Answers"),
              head("citations", linkNoun === "citations" ? "Citations" : "Times read"),
            ],
            rows: sites.data.map(renderSiteRow),
          }),
    empty: noMatchesNotice(`No answer of this selection has such a ${noun}.`, path, view),
    pager: cursorPager(path, query, sites.next_cursor),
    note: renderBasis(sites.basis, [`${sites.citing_answers} with ${linkNoun}`, "prompts of every type"]),
  });
}

function renderSiteRow(site: Site): Html {
  return html`<tr>
    <th scope="row">${renderUntrustedText(site.url ?? site.domain)}</th>
    <td>${formatSiteType(site.competitor_type)}</td>
    <td>${site.brand !== null && renderName(site.brand)}</td>
    <td class="number">
      ${renderMetric(site.share, formatPercent)} <small>${renderInterval(site.ci_low, site.ci_high)}</small>
    </td>
    <td class="number">${renderMetric(site.answers, formatInteger)}</td>
    <td class="number">${renderMetric(site.citations, formatInteger)}</td>
  </tr>`;
}

function searchList(view: SitesView, searches: Searches): Html {
  const { query, ids } = view;
  const path = sitesAddress(ids);
  const head = sortableHeaders({ path, query, id: "sites", sorts: SEARCH_SORTS, usual: DEFAULT_ORDER });
  return tablePanel({
    id: "sites",
    title: formatCount(searches.total_count, "search", "searches"),
    hint: html`Share of the ${formatCount(searches.searching_answers, "answer")} in which the assistant searched.`,
    csv: { href: buildCsvAddress(view, "searches"), rowCount: searches.total_count },
    table:
      searches.data.length === 0
        ? undefined
        : scrollTable({
            label: "Searches with their shares",
            className: "sticky",
            columns: [
              head("query", "Search", "text"),
              { number: "Share" },
              head("answers", "Answers"),
              { number: "Searches" },
              head("prompts", "Prompts"),
            ],
            rows: searches.data.map(searchRow),
          }),
    empty: noMatchesNotice("These assistants do not report their searches.", path, view),
    pager: cursorPager(path, query, searches.next_cursor),
    note: renderBasis(searches.basis, [
      `anything was searched for ${searches.searching_answers}`,
      "prompts of every type",
    ]),
  });
}

function searchRow(search: SearchQueryRow): Html {
  return html`<tr>
    <th scope="row">${renderUntrustedText(search.query)}</th>
    <td class="number">
      ${renderMetric(search.share, formatPercent)} <small>${renderInterval(search.ci_low, search.ci_high)}</small>
    </td>
    <td class="number">${renderMetric(search.answers, formatInteger)}</td>
    <td class="number">${renderMetric(search.searches, formatInteger)}</td>
    <td class="number">${renderMetric(search.prompts, formatInteger)}</td>
  </tr>`;
}

function buildCsvAddress({ ids, query }: SitesView, list: string): string {
  return `${sitesAddress(ids)}/${list}.csv${updateQuery(query, { cursor: undefined })}`;
}
