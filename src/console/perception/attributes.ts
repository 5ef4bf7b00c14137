import { renderIntervalPlot } from "../charts/interval-mark.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import {
  formatSignedMean,
  renderChange,
  renderMetric,
  renderInterval,
  renderName,
  MEAN_FORMAT,
} from "../shared/format-metrics.ts";
import { perceptionAddress } from "../shared/page-addresses.ts";
import { renderBasis } from "../shared/render-basis.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { ATTRIBUTES_TABLE, sortAttributes } from "./perception-tables.ts";
import { renderQuotation } from "./quotations.ts";
import { csvDownload, type Attributes, type PerceptionView } from "./view.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type AttributeRow = Attributes["data"][number];

export function renderAttributesSection(view: PerceptionView): Html {
  const { attributes } = view;
  const hasAny = attributes.data.length > 0;
  return tablePanel({
    id: "attributes",
    title: "Attributes",
    hint: "Average of what answers say of each brand, from −5 to +5.",
    csv: csvDownload(view, "attributes", attributes),
    table: hasAny ? renderAttributeTable(view) : undefined,
    empty: html`<p class="unmeasured">
      This analysis has no attributes. Name up to six, such as price or service, when you create a brand analysis.
    </p>`,
    note: hasAny ? renderBasis(attributes.basis) : undefined,
  });
}

function renderAttributeTable(view: PerceptionView): Html {
  const { attributes, analysis, ids, query } = view;
  const all = sortAttributes(attributes.data, query, analysis.brand_id);
  const head = ATTRIBUTES_TABLE.headers(perceptionAddress(ids), query);
  return scrollTable({
    label: "Scores of brands by attribute",
    className: "perceived sticky fitted",
    columns: [
      head("attribute", "Attribute", "text"),
      head("brand", "Brand", "text"),
      head("score", "Score"),
      head("change", "Change"),
      head("others", "Mean of other brands"),
      head("clauses", "Clauses"),
      "In words",
    ],
    rows: all.flatMap((row, at) => {
      if (row.score !== null) return [renderAttributeRow(row, view)];
      // Brands without a score share one row per attribute, at the position of the first.
      const isAlike = (one: AttributeRow) => one.score === null && one.attribute === row.attribute;
      return all.findIndex(isAlike) === at ? [renderUnscoredRow(row.attribute, all.filter(isAlike))] : [];
    }),
  });
}

function renderAttributeRow(row: AttributeRow, view: PerceptionView): Html {
  const { score, ci_low: low, ci_high: high } = row;
  const isOwn = row.brand_id === view.analysis.brand_id;
  return html`<tr ${isOwn && html` class="own"`}>
    <th scope="row">${renderName(row.attribute)}</th>
    <td>${renderName(row.brand)}</td>
    <td class="number">
      ${renderMetric(score, formatSignedMean)} <small>${renderInterval(low, high, formatSignedMean)}</small>
      ${renderIntervalPlot(score, { low, high, scale: [-5, 5] })}
    </td>
    <td class="number">${renderChange(row.change, MEAN_FORMAT)}</td>
    <td class="number">${renderMetric(row.score_of_others, formatSignedMean)}</td>
    <td class="number soft">
      ${renderMetric(row.spans, formatInteger)}
      <small>in ${formatInteger(row.answers)} of ${formatInteger(row.named)} answers</small>
    </td>
    <td class="in-words">${row.quotations.map((one) => renderQuotation(one, view))}</td>
  </tr>`;
}

function renderUnscoredRow(attribute: string, rows: readonly AttributeRow[]): Html {
  return html`<tr>
    <th scope="row">${renderName(attribute)}</th>
    <td colspan="6" class="unscored">
      Not enough mentions:
      ${rows.map(({ brand, spans, reason }, at) => {
        const why = reason === "no_lexicon_for_language" ? ", not in English" : "";
        return html`${at > 0 && "; "}${renderName(brand)}
        (${renderMetric(spans, (value) => formatCount(value, "clause"))}${why})`;
      })}.
      A score needs 10 clauses.
    </td>
  </tr>`;
}
