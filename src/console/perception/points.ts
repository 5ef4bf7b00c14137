import { scaleLinear } from "d3-scale";
import { roundCoordinate } from "../charts/chart.ts";
import { shortened } from "../../http/pages/truncate-text.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderMetric, renderName } from "../shared/format-metrics.ts";
import { perceptionAddress } from "../shared/page-addresses.ts";
import { renderBasis } from "../shared/render-basis.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { POINTS_TABLE } from "./perception-tables.ts";
import { renderQuotation } from "./quotations.ts";
import { csvDownload, sortOwnFirst, type Perception, type PerceptionView } from "./view.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

type BrandRow = Perception["data"][number];

/** Default sort order, that of the API response. */
const DEFAULT_ORDER = { sort: "answers", direction: "desc" } as const;
const BASIS_NOTES = [
  "answers: prompts that ask for neither pros nor cons",
  "extra when prompted: answers to prompts that do",
  "the five most frequent of each brand",
];
const MAX_LABEL_LENGTH = 80;

export function renderPointsSection(view: PerceptionView): Html {
  const { perception, analysis } = view;
  const rows = sortOwnFirst(perception.data, analysis.brand_id).filter(
    ({ pros, cons }) => pros.length + cons.length > 0,
  );
  return tablePanel({
    id: "points",
    title: "Pros and cons",
    hint: "What answers say without being asked for it, grouped by theme.",
    csv: csvDownload(view, "pros-and-cons", { data: rows }),
    table:
      rows.length === 0
        ? undefined
        : html`${rows.map((row) =>
            row.brand_id === analysis.brand_id
              ? renderPointTables(row, view)
              : html`<details class="behind">
                  <summary>${renderName(row.brand)}</summary>
                  ${renderPointTables(row, view)}
                </details>`,
          )}`,
    empty: html`<p class="unmeasured">No answer of this selection names a pro or con of a brand.</p>`,
    note: rows.length === 0 ? undefined : renderBasis(perception.basis, BASIS_NOTES),
  });
}

function renderPointTables(row: BrandRow, view: PerceptionView): Html {
  const maxAnswers = Math.max(1, ...[...row.pros, ...row.cons].map(({ answers }) => answers));
  return html`<div class="points">
    ${(["pro", "con"] as const).map((polarity) => renderPointTable(polarity, row, { view, maxAnswers }))}
  </div>`;
}

function renderPointTable(
  polarity: "pro" | "con",
  row: BrandRow,
  { view, maxAnswers }: { view: PerceptionView; maxAnswers: number },
): Html {
  const { ids, query } = view;
  const [points, name] = polarity === "pro" ? [row.pros, "Pros"] : [row.cons, "Cons"];
  const head = POINTS_TABLE.headers(perceptionAddress(ids), query, DEFAULT_ORDER);
  const length = scaleLinear([0, maxAnswers], [0, 100]);
  return html`<div class="${polarity}">
    <h3>${name}<span class="unseen"> of ${renderName(row.brand)}</span></h3>
    ${
      points.length === 0
        ? html`<p class="unmeasured">None.</p>`
        : scrollTable({
            label: `${name} of ${shortened(row.brand, MAX_LABEL_LENGTH)}`,
            className: "perceived sticky fitted",
            columns: [
              head("phrase", polarity === "pro" ? "Pro" : "Con", "text"),
              head("answers", "Answers"),
              head("asked", "Extra when prompted"),
              "In words",
            ],
            rows: POINTS_TABLE.sortRows(points, query).map(
              (point) =>
                html`<tr>
                  <th scope="row">${renderName(point.phrase)} ${renderMeter(length(point.answers))}</th>
                  <td class="number">${renderMetric(point.answers, formatInteger)}</td>
                  <td class="number">${renderMetric(point.asked, formatInteger)}</td>
                  <td class="in-words">
                    ${row.quotations
                      .filter((one) => one.polarity === polarity && one.head === point.head)
                      .map((one) => renderQuotation(one, view))}
                  </td>
                </tr>`,
            ),
          })
    }
  </div>`;
}

function renderMeter(width: number): Html {
  return html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect width="${roundCoordinate(width)}" height="6" />
  </svg>`;
}
