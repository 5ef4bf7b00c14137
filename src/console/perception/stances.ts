import { renderIntervalPlot } from "../charts/interval-mark.ts";
import { renderPartSwatch, renderShareBars } from "../charts/share-bars.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import {
  formatSignedMean,
  renderChange,
  renderMetric,
  renderInterval,
  renderName,
  FAULT_SHARE_FORMAT,
  MEAN_FORMAT,
  formatPercent,
} from "../shared/format-metrics.ts";
import { perceptionAddress } from "../shared/page-addresses.ts";
import { renderBasis } from "../shared/render-basis.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { SENTIMENT_TABLE, STANCES_TABLE } from "./perception-tables.ts";
import { csvDownload, sortOwnFirst, type Perception, type PerceptionView } from "./view.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

type BrandRow = Perception["data"][number];

const STANCE_LABELS = [
  ["winner", "Best pick"],
  ["recommended", "Recommended"],
  ["caveated", "With reservations"],
  ["mentioned", "Mentioned only"],
  ["discouraged", "Advised against"],
] as const;

export function renderStancesSection(view: PerceptionView): Html {
  const { perception, analysis, ids, query } = view;
  const rows = sortOwnFirst(perception.data, analysis.brand_id);
  const head = STANCES_TABLE.headers(perceptionAddress(ids), query);
  return html`${tablePanel({
    id: "stances",
    title: "Stance",
    hint: "How answers recommend each brand: the strongest statement of each answer counts.",
    csv: csvDownload(view, "stances", perception),
    table: renderShareBars({
      label: "Stances towards brands",
      columns: [
        head("brand", "Brand", "text"),
        ...STANCE_LABELS.map(([stance, name], at) => head(stance, html`${renderPartSwatch(at)}${name}`)),
        head("answers", "Answers"),
      ],
      formatValue: formatPercent,
      bars: STANCES_TABLE.sortRows(rows, query).map((row) => ({
        name: renderName(row.brand),
        isOwn: row.brand_id === analysis.brand_id,
        shares: STANCE_LABELS.map(([stance]) => ({ value: row[`${stance}_share`], count: row[stance] })),
        of: html`${renderMetric(row.answers, formatInteger)}`,
      })),
    }),
    note: renderBasis(perception.basis, ["prompts that ask for neither pros nor cons"]),
  })}
  ${renderSentimentSection(rows, view)}`;
}

function renderSentimentSection(rows: readonly BrandRow[], view: PerceptionView): Html {
  const { analysis, ids, query, perception } = view;
  const head = SENTIMENT_TABLE.headers(perceptionAddress(ids), query);
  return tablePanel({
    id: "sentiment",
    title: "Sentiment",
    hint: "From −1 (mostly against the brand) to +1 (mostly for it), with its likely range (95 %).",
    csv: csvDownload(view, "sentiment", perception),
    table: scrollTable({
      label: "Sentiment towards brands",
      className: "perceived sticky fitted",
      columns: [
        head("brand", "Brand", "text"),
        head("sentiment", "Sentiment"),
        head("change", "Change"),
        head("pros", "Answers with a pro"),
        head("cons", "Answers with a con"),
        head("con_change", "Change of cons"),
        head("judged", "Judged"),
      ],
      rows: SENTIMENT_TABLE.sortRows(rows, query).map((row) =>
        renderSentimentRow(row, row.brand_id === analysis.brand_id),
      ),
    }),
    note: html`${renderBasis(perception.basis, ["prompts that ask for neither pros nor cons"])}
      <p class="hint">
        Only English answers are scored. Sentiment needs 10 answers with a pro or a con, and 5 prompts.
      </p>`,
  });
}

function renderSentimentRow(row: BrandRow, isOwn: boolean): Html {
  const { sentiment, sentiment_ci_low: low, sentiment_ci_high: high } = row;
  return html`<tr ${isOwn && html` class="own"`}>
    <th scope="row">${renderName(row.brand)}</th>
    <td class="number">
      ${renderMetric(sentiment, formatSignedMean)} <small>${renderInterval(low, high, formatSignedMean)}</small>
      ${renderIntervalPlot(sentiment, { low, high, scale: [-1, 1] })}
    </td>
    <td class="number">${sentiment === null ? renderTooFew(row) : renderChange(row.sentiment_change, MEAN_FORMAT)}</td>
    <td class="number">
      ${renderMetric(row.pro_rate, formatPercent)} <small>${renderInterval(row.pro_ci_low, row.pro_ci_high)}</small>
    </td>
    <td class="number">
      ${renderMetric(row.con_rate, formatPercent)} <small>${renderInterval(row.con_ci_low, row.con_ci_high)}</small>
    </td>
    <td class="number">${renderChange(row.con_rate_change, FAULT_SHARE_FORMAT)}</td>
    <td class="number soft">
      ${renderMetric(row.judged, formatInteger)} of ${renderMetric(row.answers, formatInteger)}
    </td>
  </tr>`;
}

function renderTooFew({ with_either: either }: BrandRow): Html {
  return html`<span class="faint">too few: ${either} with a pro or con</span>`;
}
