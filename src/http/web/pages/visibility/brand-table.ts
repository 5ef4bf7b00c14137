import { html, type Html } from "../../html.ts";
import { scrollTable } from "../../table.ts";
import { changeShown, figure, interval, mean, nameShown, percent } from "../figures.ts";
import { queryWith, visibilityAddress } from "../places.ts";
import { restsOn } from "../rests-on.ts";
import type { Row, VisibilityView } from "./view.ts";

/** What the table can be sorted by, with the direction that comes first. */
const SORTS = {
  presence: "desc",
  rank: "asc",
  top_3: "desc",
  visibility: "desc",
  share_of_voice: "desc",
  citations: "desc",
  change: "desc",
} as const;
type Sort = keyof typeof SORTS;

/** The order that an address asks for, as the endpoint takes it. */
export function sortOf(query: URLSearchParams): { sort?: Sort; sort_direction?: "asc" | "desc" } {
  const sort = (Object.keys(SORTS) as Sort[]).find((one) => one === query.get("sort"));
  if (sort === undefined) return {};
  const direction = query.get("direction");
  return { sort, sort_direction: direction === "asc" || direction === "desc" ? direction : SORTS[sort] };
}

/** All brands with their figures, and what these rest on. */
export function brandTable(view: VisibilityView): Html {
  const { table, place, query } = view;
  const { total_count: all } = table;
  const shown = table.data.length;
  const head = (sort: Sort, words: string) => ({ number: sortLink(view, sort, words), sorted: sortedBy(query, sort) });
  return html`<section class="panel" aria-labelledby="brands">
    <div class="panel-head">
      <h2 id="brands">Brands</h2>
      <p class="hint">
        Share of answers that name each, with the 95 % interval for prompts like these.
        <a href="${visibilityAddress(place)}/brands.csv${queryWith(query, {})}">Download CSV</a>
      </p>
    </div>
    ${scrollTable({
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
        { number: "Answers" },
      ],
      rows: table.data.map(row),
    })}
    ${restsOn(table.basis, all > shown ? [`${shown} of ${all} brands; the download has all`] : [])}
  </section>`;
}

function sortedBy(query: URLSearchParams, sort: Sort): "ascending" | "descending" | undefined {
  const order = sortOf(query);
  const { sort: by = "presence", sort_direction: direction = "desc" } = order;
  if (by !== sort) return undefined;
  return direction === "asc" ? "ascending" : "descending";
}

/** A head that sorts by its column: the usual way first, the other way when it is sorted so. */
function sortLink({ place, query }: VisibilityView, sort: Sort, words: string): Html {
  const now = sortedBy(query, sort);
  const usual = SORTS[sort];
  const isUsual = now === (usual === "asc" ? "ascending" : "descending");
  const direction = now !== undefined && isUsual ? (usual === "asc" ? "desc" : "asc") : usual;
  const arrow = now === undefined ? "" : now === "ascending" ? " ↑" : " ↓";
  return html`<a href="${visibilityAddress(place)}${queryWith(query, { sort, direction })}#brands"
    >${words}<span aria-hidden="true">${arrow}</span></a
  >`;
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
    <td class="number">${figure(one.citations, String)}</td>
    <td class="number soft">${figure(one.occurrences, String)} of ${figure(one.answers, String)}</td>
  </tr>`;
}
