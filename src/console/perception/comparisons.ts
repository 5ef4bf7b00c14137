import { heatTable, type HeatCell } from "../charts/heat-table.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderChange, renderMetric, renderInterval, renderName, formatPercent } from "../shared/format-metrics.ts";
import { perceptionAddress } from "../shared/page-addresses.ts";
import { renderBasis } from "../shared/render-basis.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { PAIRS_TABLE } from "./perception-tables.ts";
import { renderQuotation } from "./quotations.ts";
import { csvDownload, type Comparisons, type PerceptionView } from "./view.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type ComparisonRow = Comparisons["data"][number];

const COLUMN_NOTES = [
  "win rate: (wins + draws / 2) / answers with a pick or a draw; aspects do not count",
  "no preference: answers to comparison prompts that do not name both, prefer a brand only in aspects, or pick none",
  "rated higher: share of the answers that name both, ties half",
  "named first, second: win rate where the prompt names the brand first, or second",
];

export function renderComparisonsSection(view: PerceptionView): Html {
  const { comparisons } = view;
  const compared = comparisons.data.filter(({ answers, stance_answers: both }) => answers + (both ?? 0) > 0);
  const hasAny = compared.length > 0;
  return tablePanel({
    id: "comparisons",
    title: "Comparisons",
    hint: "Wins and losses of the row's brand against the column's, in answers with a pick or a draw.",
    csv: csvDownload(view, "comparisons", { data: compared }),
    table: hasAny ? html`${renderWinMatrix(view)} ${renderPairsTable(compared, view)}` : undefined,
    empty: html`<p class="unmeasured">
      No answer of this selection compares two of the brands. The comparison prompts of a brand analysis ask for it.
    </p>`,
    note: hasAny
      ? html`${renderBasis(comparisons.basis, COLUMN_NOTES)} ${renderQuotationList(compared, view)}`
      : undefined,
  });
}

/** A pair from the perspective of the row's brand. */
interface PairSide {
  winCount: number;
  lossCount: number;
  tieCount: number;
  rate: number;
  href: string | undefined;
}

function renderWinMatrix({ comparisons, analysis }: PerceptionView): Html {
  const rows = comparisons.data;
  const brands = new Map<string, string>();
  for (const { brand, brand_id: id, rival, rival_id: other } of rows) {
    if (id !== undefined) brands.set(id, brand);
    brands.set(other, rival);
  }
  const ids = [...brands.keys()].toSorted((a, b) => Number(b === analysis.brand_id) - Number(a === analysis.brand_id));
  return heatTable({
    label: "Wins and losses of brands against each other",
    rowHeader: "Brand",
    columns: ids.map((id) => brands.get(id) ?? ""),
    rows: ids.map((id) => ({
      name: brands.get(id) ?? "",
      isOwn: id === analysis.brand_id,
      cells: ids.map((other) => createCell(findPairSide(rows, id, other))),
    })),
    formatValue: formatPercent,
  });
}

function findPairSide(rows: readonly ComparisonRow[], id: string, other: string): PairSide | undefined {
  const own = rows.find((row) => row.brand_id === id && row.rival_id === other);
  const row = own ?? rows.find((one) => one.brand_id === other && one.rival_id === id);
  if (!row || row.win_rate === null) return undefined;
  const { wins: winCount, losses: lossCount, both: tieCount, win_rate: rate } = row;
  const href = row.quotations.length > 0 ? `#${buildPairId(row)}` : undefined;
  return own
    ? { winCount, lossCount, tieCount, rate, href }
    : { winCount: lossCount, lossCount: winCount, tieCount, rate: 1 - rate, href };
}

function createCell(side: PairSide | undefined): HeatCell | null {
  if (!side) return null;
  const { winCount, lossCount, tieCount, rate, href } = side;
  const each = tieCount === 0 ? "" : `, ${tieCount} ${tieCount === 1 ? "tie" : "ties"}`;
  return {
    value: rate,
    displayedValue: html`<data value="${winCount}">${winCount}</data>–<data value="${lossCount}">${lossCount}</data>`,
    counts: `${formatCount(winCount, "win")}, ${lossCount} ${lossCount === 1 ? "loss" : "losses"}${each}: ${formatPercent(rate)}`,
    href,
  };
}

function buildPairId({ brand_id: brand, rival_id: rival }: ComparisonRow): string {
  return `pair-${brand}-${rival}`;
}

function renderPairsTable(rows: readonly ComparisonRow[], { ids, query }: PerceptionView): Html {
  const head = PAIRS_TABLE.headers(perceptionAddress(ids), query);
  return scrollTable({
    label: "Pairs of brands",
    className: "perceived sticky fitted",
    columns: [
      head("pair", "Pair", "text"),
      head("wins", "Wins of the first"),
      head("losses", "Losses"),
      head("both", "Draws"),
      head("no_preference", "No preference"),
      head("win_rate", "Win rate"),
      head("change", "Change"),
      head("stance", "Rated higher"),
      head("first", "Named first"),
      head("second", "Named second"),
    ],
    rows: PAIRS_TABLE.sortRows(rows, query).map(renderPairRow),
  });
}

function renderPairRow(row: ComparisonRow): Html {
  return html`<tr>
    <th scope="row">${renderName(row.brand)} – ${renderName(row.rival)}</th>
    <td class="number">${renderMetric(row.wins, formatInteger)}</td>
    <td class="number">${renderMetric(row.losses, formatInteger)}</td>
    <td class="number">${renderMetric(row.both, formatInteger)}</td>
    <td class="number">${renderMetric(row.no_preference, formatInteger)} ${renderReasons(row)}</td>
    <td class="number">
      ${renderMetric(row.win_rate, formatPercent)} <small>${renderInterval(row.ci_low, row.ci_high)}</small>
      ${row.answers > 0 && html`<small>${formatCount(row.answers, "answer")} to ${formatCount(row.prompts, "prompt")}</small>`}
    </td>
    <td class="number">${row.answers > 0 && renderChange(row.change)}</td>
    ${renderRateCell(row.stance_rate, row.stance_answers)} ${renderRateCell(row.first_rate, row.first_answers)}
    ${renderRateCell(row.second_rate, row.second_answers)}
  </tr>`;
}

function renderReasons({ brand_missing: missing, aspects_only: aspects, no_pick: none }: ComparisonRow): Html {
  return html`<small>${missing} without both, ${aspects} aspects only, ${none} no pick</small>`;
}

function renderRateCell(rate: number | null | undefined, answers: number | undefined): Html {
  return html`<td class="number">
    ${renderMetric(rate, formatPercent)} ${answers !== undefined && answers > 0 && html`<small>of ${answers}</small>`}
  </td>`;
}

function renderQuotationList(rows: readonly ComparisonRow[], view: PerceptionView): Html {
  return html`<ul class="quotes">
    ${rows
      .filter(({ quotations }) => quotations.length > 0)
      .map(
        (row) =>
          html`<li id="${buildPairId(row)}">
            <strong>${renderName(row.brand)} – ${renderName(row.rival)}</strong> ${renderAspects(row)}
            ${row.quotations.map((one) => renderQuotation(one, view))}
          </li>`,
      )}
  </ul>`;
}

function renderAspects({ aspects = [] }: ComparisonRow): Html | false {
  return (
    aspects.length > 0 &&
    html`<span class="hint"
      >By aspect:
      ${aspects.map(({ aspect, wins, losses }, at) => html`${at > 0 && ", "}${renderName(aspect)} ${wins}–${losses}`)}</span
    >`
  );
}
