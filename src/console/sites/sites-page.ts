import { COMPETITOR_TYPES } from "../../../core/sources/sources.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { outside } from "../audits/words.ts";
import { analysisChoices, choiceForm, narrowingChoices, type Choice } from "../shared/filters.ts";
import { queryWith, sitesAddress } from "../shared/places.ts";
import { citedWithSection, gapsSection, searchesSection } from "./beside.ts";
import { listShown } from "./lists.ts";
import { kindShown, type SitesView } from "./view.ts";

export function sitesPage(view: SitesView): Html {
  const isOfSearches = "searches" in view.list;
  return html`<h1>Sources</h1>
    ${choices(view)} ${onlyOf(view)} ${listShown(view)} ${citedWithSection(view)}
    <div class="halves">${gapsSection(view)} ${!isOfSearches && searchesSection(view)}</div>`;
}

function choices(view: SitesView): Html {
  const { place, query, analysis, filters, brands } = view;
  const domain = query.get("domain");
  const ofSites: Choice[] = [
    { name: "pages", label: "That answers", any: "Cite", options: [["retrieved", "Read and do not cite"]] },
    {
      name: "kind",
      label: "Kind of site",
      any: "All",
      options: COMPETITOR_TYPES.map((one) => [one, kindShown(one)] as const),
    },
  ];
  const kinds = [
    ["page", "Pages"],
    ["search", "Searches"],
  ] as const;
  const own: Choice[] = [
    { name: "by", label: "List", any: "Sites", options: kinds },
    ...("sites" in view.list ? ofSites : []),
    { name: "with", label: "Where answers name", any: "Anyone", ...brands },
    { name: "without", label: "And do not name", any: "Anyone", ...brands },
  ];
  const narrowing = narrowingChoices(filters, ["source", "topic", "country"]);
  return choiceForm(sitesAddress(place), query, [...analysisChoices(view), ...narrowing, ...own], {
    chosen: { analysis: analysis.id },
    held: domain === null ? {} : { domain },
  });
}

function onlyOf({ query, place }: SitesView): Html | false {
  const domain = query.get("domain");
  if (!domain) return false;
  const all = `${sitesAddress(place)}${queryWith(query, { domain: undefined, cursor: undefined })}`;
  return html`<p class="hint">The list is of ${outside(domain)} alone. <a href="${all}">All sites</a></p>`;
}
