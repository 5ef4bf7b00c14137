import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import {
  renderChange,
  renderMetric,
  renderInterval,
  formatMean,
  renderName,
  formatPercent,
} from "../shared/format-metrics.ts";
import { sortableHeaders } from "../shared/table-sort.ts";
import { updateQuery, visibilityAddress } from "../shared/page-addresses.ts";
import { renderBasis } from "../shared/render-basis.ts";
import { tablePanel } from "../shared/table-panel.ts";
import type { BrandRow, VisibilityView } from "./view.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export const BRAND_SORTS = {
  presence: "desc",
  rank: "asc",
  top_3: "desc",
  visibility: "desc",
  share_of_voice: "desc",
  citations: "desc",
  answers: "desc",
  change: "desc",
} as const;

export function renderBrandTable(view: VisibilityView): Html {
  const { table, ids, query } = view;
  const { total_count: all } = table;
  const shown = table.data.length;
  const path = visibilityAddress(ids);
  const usual = { sort: "presence", direction: "desc" } as const;
  const head = sortableHeaders({ path, query, id: "brands", sorts: BRAND_SORTS, usual });
  return tablePanel({
    id: "brands",
    title: "Brands",
    hint: "Presence is the share of answers that name the brand, with its likely range (95 %).",
    csv: { href: `${path}/brands.csv${updateQuery(query, {})}`, rowCount: table.total_count },
    table: scrollTable({
      label: "Brands with their figures",
      className: "sticky fitted",
      columns: [
        "Brand",
        head("presence", "Presence"),
        head("change", "Change"),
        head("rank", "Average rank"),
        head("top_3", "Top 3"),
        head("visibility", "Visibility score"),
        head("share_of_voice", "Share of voice"),
        head("citations", "Answers citing it"),
        head("answers", "Answers"),
      ],
      rows: table.data.map(renderBrandRow),
    }),
    note: renderBasis(
      table.basis,
      all > shown ? [`${formatInteger(shown)} of ${formatInteger(all)} brands; the download has all`] : [],
    ),
  });
}

function renderBrandRow(one: BrandRow): Html {
  const { brand, is_my_brand: isOwn } = one;
  return html`<tr ${isOwn && html` class="own"`}>
    <th scope="row">${renderName(brand)}${isOwn && html` <span class="badge badge-good">you</span>`}</th>
    <td class="number">
      ${renderMetric(one.presence_rate, formatPercent)} <small>${renderInterval(one.ci_low, one.ci_high)}</small>
    </td>
    <td class="number">${renderChange(one.change)}</td>
    <td class="number">${renderMetric(one.average_rank, formatMean)}</td>
    <td class="number">${renderMetric(one.top_3_rate, formatPercent)}</td>
    <td class="number">${renderMetric(one.visibility_score, (value) => value.toFixed(1))}</td>
    <td class="number">${renderMetric(one.share_of_voice, formatPercent)}</td>
    <td class="number">${renderMetric(one.citations, formatInteger)}</td>
    <td class="number soft">
      ${renderMetric(one.occurrences, formatInteger)} of ${renderMetric(one.answers, formatInteger)}
    </td>
  </tr>`;
}
