import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderChange, renderMetric, renderInterval, renderName, formatPercent } from "../shared/format-metrics.ts";
import { perceptionAddress } from "../shared/page-addresses.ts";
import { renderBasis } from "../shared/render-basis.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { AWARENESS_TABLE } from "./perception-tables.ts";
import { renderQuotation } from "./quotations.ts";
import { csvDownload, sortOwnFirst, type Awareness, type PerceptionView } from "./view.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

type AwarenessRow = Awareness["data"][number];

const VERDICT_LABELS: Readonly<Record<AwarenessRow["quotations"][number]["verdict"], string>> = {
  recognised: "Recognised",
  not_recognised: "Not recognised",
  confused: "Confused with another",
};

export function renderAwarenessSection(view: PerceptionView): Html {
  const { awareness, analysis, ids, query } = view;
  const rows = AWARENESS_TABLE.sortRows(sortOwnFirst(awareness.data, analysis.brand_id), query);
  const head = AWARENESS_TABLE.headers(perceptionAddress(ids), query);
  return tablePanel({
    id: "awareness",
    title: "Awareness",
    hint: "Unaided: named in answers to prompts that name no brand. Aided: known when asked by name, compared with decoy names.",
    csv: csvDownload(view, "awareness", awareness),
    table: scrollTable({
      label: "Awareness of brands",
      className: "perceived sticky fitted",
      columns: [
        head("brand", "Brand", "text"),
        head("unaided", "Unaided"),
        head("unaided_change", "Change"),
        head("aided", "Aided"),
        head("aided_change", "Change"),
        head("look_alikes", "Decoy names"),
        head("difference", "Aided minus decoys"),
      ],
      rows: rows.map((row) => renderAwarenessRow(row, row.brand_id === analysis.brand_id)),
    }),
    note: html`${rows.some(({ asked }) => asked === 0) && html`<p class="hint">Not asked: no prompt of the analysis asks whether the brand is known.</p>`}
    ${renderBasis(awareness.basis)} ${renderRecognitionQuotes(rows, view)}`,
  });
}

function renderAwarenessRow(row: AwarenessRow, isOwn: boolean): Html {
  const { difference } = row;
  const isAsked = row.asked > 0;
  return html`<tr ${isOwn && html` class="own"`}>
    <th scope="row">${renderName(row.brand)}</th>
    <td class="number">
      ${renderMetric(row.unaided, formatPercent)}
      <small>${renderInterval(row.unaided_ci_low, row.unaided_ci_high)}</small>
      <small>${formatInteger(row.occurrences)} of ${formatInteger(row.answers)} answers</small>
    </td>
    <td class="number">${row.answers === 0 ? html`<span class="faint">–</span>` : renderChange(row.unaided_change)}</td>
    ${
      isAsked
        ? html`<td class="number">
              ${renderMetric(row.aided, formatPercent)}
              <small>${renderInterval(row.aided_ci_low, row.aided_ci_high)}</small>
              <small>${formatInteger(row.recognised)} of ${formatInteger(row.asked)} answers</small>
            </td>
            <td class="number">${renderChange(row.aided_change)}</td>
            <td class="number">
              ${renderMetric(row.look_alikes, formatPercent)}
              <small
                >${formatInteger(row.look_alikes_recognised)} of ${formatInteger(row.look_alikes_asked)} answers</small
              >
            </td>
            <td class="number">
              ${renderMetric(difference.delta, formatPercent)}
              <small>${renderInterval(difference.ci_low, difference.ci_high)}</small>
              <small>${difference.templates} templates</small>
            </td>`
        : html`<td class="number" colspan="4"><span class="faint">not asked</span></td>`
    }
  </tr>`;
}

function renderRecognitionQuotes(rows: readonly AwarenessRow[], view: PerceptionView): Html | false {
  const quoted = rows.filter(({ quotations }) => quotations.length > 0);
  return (
    quoted.length > 0 &&
    html`<details class="behind">
      <summary>What answers say when asked by name</summary>
      <ul class="quotes">
        ${quoted.flatMap(({ quotations }) =>
          quotations.map(
            (one) =>
              html`<li>
                <strong>${renderName(one.name)}</strong>
                ${one.is_look_alike && html`<span class="badge">decoy</span>`}
                <span class="hint">${VERDICT_LABELS[one.verdict]}</span>
                ${renderQuotation(one, view)}
              </li>`,
          ),
        )}
      </ul>
    </details>`
  );
}
