import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { changeShown, figure, interval, mean, nameShown, percent } from "../shared/figures.ts";
import { sortHeads } from "../shared/order.ts";
import { queryWith, visibilityAddress } from "../shared/places.ts";
import { restsOn } from "../shared/rests-on.ts";
import { tablePanel } from "../shared/table-panel.ts";
import type { Row, VisibilityView } from "./view.ts";
import { count } from "../../../core/shared/counts.ts";

export const SORTS = {
  presence: "desc",
  rank: "asc",
  top_3: "desc",
  visibility: "desc",
  share_of_voice: "desc",
  citations: "desc",
  answers: "desc",
  change: "desc",
} as const;

export function brandTable(view: VisibilityView): Html {
  const { table, place, query } = view;
  const { total_count: all } = table;
  const shown = table.data.length;
  const path = visibilityAddress(place);
  const usual = { sort: "presence", direction: "desc" } as const;
  const head = sortHeads({ path, query, id: "brands", sorts: SORTS, usual });
  return tablePanel({
    id: "brands",
    title: "Brands",
    hint: "Share of answers that name each, with the 95 % interval for prompts like these.",
    csv: { href: `${path}/brands.csv${queryWith(query, {})}`, rows: table.total_count },
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
        head("citations", "Cited in"),
        head("answers", "Answers"),
      ],
      rows: table.data.map(row),
    }),
    note: restsOn(table.basis, all > shown ? [`${count(shown)} of ${count(all)} brands; the download has all`] : []),
  });
}

function row(one: Row): Html {
  const { brand, is_my_brand: isOwn } = one;
  return html`<tr ${isOwn && html` class="own"`}>
    <th scope="row">${nameShown(brand)}${isOwn && html` <span class="badge badge-good">own</span>`}</th>
    <td class="number">${figure(one.presence_rate, percent)} <small>${interval(one.ci_low, one.ci_high)}</small></td>
    <td class="number">${changeShown(one.change)}</td>
    <td class="number">${figure(one.average_rank, mean)}</td>
    <td class="number">${figure(one.top_3_rate, percent)}</td>
    <td class="number">${figure(one.visibility_score, (value) => value.toFixed(1))}</td>
    <td class="number">${figure(one.share_of_voice, percent)}</td>
    <td class="number">${figure(one.citations, count)}</td>
    <td class="number soft">${figure(one.occurrences, count)} of ${figure(one.answers, count)}</td>
  </tr>`;
}
