import { renderBarTable } from "../charts/bar-table.ts";
import { heatTable } from "../charts/heat-table.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderUntrustedText } from "../audits/labels.ts";
import { renderMetric, formatPercent } from "../shared/format-metrics.ts";
import { updateQuery, sitesAddress } from "../shared/page-addresses.ts";
import { formatSiteType, type SitesView } from "./view.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

const MAX_SITES = 10;

export function renderCitedWithSection({ citedWith }: SitesView): Html | undefined {
  const reached = new Map<string, number>();
  for (const { sites } of citedWith)
    for (const { domain, share } of sites.data) reached.set(domain, Math.max(share, reached.get(domain) ?? 0));
  const domains = [...reached].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_SITES);
  if (domains.length === 0) return undefined;
  const rows = domains.map(([domain]) => ({
    name: domain,
    isOwn: false,
    cells: citedWith.map(({ brand, sites }) => {
      const found = sites.data.find((one) => one.domain === domain);
      if (!found && sites.next_cursor !== null) return null;
      const answers = found?.answers ?? 0;
      const counts = `${formatInteger(answers)} of ${formatInteger(sites.citing_answers)} answers that name ${brand} and have citations`;
      return sites.citing_answers === 0 ? null : { value: found?.share ?? 0, counts };
    }),
  }));
  return html`<section class="panel" aria-labelledby="cited-with">
    <div class="panel-head">
      <h2 id="cited-with">Cited sites by brand</h2>
      <p class="hint">Share of the answers naming the brand (with citations) that cite the site.</p>
    </div>
    ${heatTable({
      label: "Sites by the brands that answers name",
      rowHeader: "Site",
      columns: citedWith.map(({ brand }) => brand),
      rows,
      formatValue: formatPercent,
    })}
  </section>`;
}

export function renderGapsSection({ gapSites, ids, query, analysis }: SitesView): Html {
  const bars = gapSites.data.map(({ url, domain, share, answers, competitor_type: type }) => {
    return {
      name: html`${renderUntrustedText(url ?? domain)} <small>${formatSiteType(type)}</small>`,
      value: share,
      note: formatCount(answers, "answer"),
      isOwn: false,
    };
  });
  const all = { by: "page", without: analysis.brand_id ?? undefined, with: undefined, ...LIST_START };
  return html`<section class="panel" aria-labelledby="gaps">
    <div class="panel-head">
      <h2 id="gaps">Pages behind answers without you</h2>
      <p class="hint">
        Cited in answers that do not name your brand: share of the ${gapSites.citing_answers} with citations.
        ${gapSites.total_count > bars.length && html`<a href="${sitesAddress(ids)}${updateQuery(query, all)}">All ${gapSites.total_count}</a>`}
      </p>
    </div>
    ${
      bars.length === 0
        ? html`<p class="faint">Every answer that cites a page names your brand.</p>`
        : renderBarTable({
            label: "Pages with their shares",
            headers: ["Page", "Share"],
            bars,
            formatValue: formatPercent,
          })
    }
  </section>`;
}

const LIST_START = { cursor: undefined, sort: undefined, direction: undefined } as const;

export function renderSearchesSection({ searches, ids, query }: SitesView): Html {
  const all = searches.total_count;
  return html`<section class="panel" aria-labelledby="searches">
    <div class="panel-head">
      <h2 id="searches">Searches by assistants</h2>
      <p class="hint">
        ${searches.searching_answers > 0 && html`Searches in ${formatCount(searches.searching_answers, "answer")}.`}
        ${
          all > searches.data.length &&
          html`<a href="${sitesAddress(ids)}${updateQuery(query, { by: "search", ...LIST_START })}">All ${all}</a>`
        }
      </p>
    </div>
    ${
      searches.data.length === 0
        ? html`<p class="faint">These assistants do not report their searches.</p>`
        : scrollTable({
            label: "Most common searches",
            columns: ["Search", { number: "Answers" }, { number: "Prompts" }],
            rows: searches.data.map(
              ({ query: search, answers, prompts }) =>
                html`<tr>
                  <th scope="row">${renderUntrustedText(search)}</th>
                  <td class="number">${renderMetric(answers, formatInteger)}</td>
                  <td class="number">${renderMetric(prompts, formatInteger)}</td>
                </tr>`,
            ),
          })
    }
  </section>`;
}
