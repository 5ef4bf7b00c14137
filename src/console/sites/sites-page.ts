import { COMPETITOR_TYPES } from "../../../core/sources/sources.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { renderUntrustedText } from "../audits/labels.ts";
import { analysisChoices, filterForm, filterChoices, type Choice } from "../shared/filters.ts";
import { updateQuery, sitesAddress } from "../shared/page-addresses.ts";
import { renderCitedWithSection, renderGapsSection, renderSearchesSection } from "./side-sections.ts";
import { renderList } from "./site-lists.ts";
import { formatSiteType, type SitesView } from "./view.ts";

export function renderSitesPage(view: SitesView): Html {
  const isOfSearches = "searches" in view.shownList;
  return html`<h1>Sources</h1>
    ${renderFilters(view)} ${renderDomainNote(view)} ${renderList(view)} ${renderCitedWithSection(view)}
    <div class="halves">${renderGapsSection(view)} ${!isOfSearches && renderSearchesSection(view)}</div>`;
}

function renderFilters(view: SitesView): Html {
  const { ids, query, analysis, filters, brands } = view;
  const domain = query.get("domain");
  const ofSites: Choice[] = [
    { name: "pages", label: "Use", any: "Cited", options: [["retrieved", "Read only"]] },
    {
      name: "kind",
      label: "Kind of site",
      any: "All",
      options: COMPETITOR_TYPES.map((one) => [one, formatSiteType(one)] as const),
    },
  ];
  const kinds = [
    ["page", "Pages"],
    ["search", "Searches"],
  ] as const;
  const own: Choice[] = [
    { name: "by", label: "Show", any: "Sites", options: kinds },
    ...("sites" in view.shownList ? ofSites : []),
    { name: "with", label: "Answers mentioning", any: "Any brand", ...brands },
    { name: "without", label: "But not", any: "Any brand", ...brands },
  ];
  const narrowing = filterChoices(filters, ["source", "topic", "country"]);
  return filterForm(sitesAddress(ids), query, [...analysisChoices(view), ...narrowing, ...own], {
    defaults: { analysis: analysis.id },
    held: domain === null ? {} : { domain },
  });
}

function renderDomainNote({ query, ids }: SitesView): Html | false {
  const domain = query.get("domain");
  if (!domain) return false;
  const all = `${sitesAddress(ids)}${updateQuery(query, { domain: undefined, cursor: undefined })}`;
  return html`<p class="hint">Only ${renderUntrustedText(domain)} is listed. <a href="${all}">All sites</a></p>`;
}
