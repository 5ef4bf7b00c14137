import { scaleLinear } from "d3-scale";
import { counted } from "../../../../../tools/quotes/presentation.ts";
import { rounded } from "../../charts/chart.ts";
import { html, type Html } from "../../html.ts";
import { figure, nameShown } from "../figures.ts";
import { tablePanel } from "../table-panel.ts";
import { quotationShown } from "./quotations.ts";
import { csvOf, ownFirst, type Perception, type PerceptionView } from "./view.ts";

type Row = Perception["data"][number];
type Point = Row["pros"][number];

/** What answers praise and blame, of the own brand open and of rivals folded away. */
export function pointsSection(view: PerceptionView): Html {
  const { perception, analysis } = view;
  const rows = ownFirst(perception.data, analysis.brand_id).filter(({ pros, cons }) => pros.length + cons.length > 0);
  return tablePanel({
    id: "points",
    title: "Pros and cons",
    hint: "What answers say unasked, by answers: what has the same head noun is one.",
    csv: csvOf(view, "pros-and-cons", { data: rows }),
    table:
      rows.length === 0
        ? undefined
        : html`${rows.map((row) =>
            row.brand_id === analysis.brand_id
              ? pointsOf(row, view)
              : html`<details class="behind">
                  <summary>${nameShown(row.brand)}</summary>
                  ${pointsOf(row, view)}
                </details>`,
          )}`,
    empty: html`<p class="unmeasured">No answer of this selection praises or blames a brand.</p>`,
  });
}

function pointsOf(row: Row, view: PerceptionView): Html {
  const most = Math.max(1, ...[...row.pros, ...row.cons].map(({ answers }) => answers));
  return html`<div class="points">
    ${(["pro", "con"] as const).map((polarity) => pointList(polarity, row, { view, most }))}
  </div>`;
}

function pointList(polarity: "pro" | "con", row: Row, { view, most }: { view: PerceptionView; most: number }): Html {
  const points = row[polarity === "pro" ? "pros" : "cons"];
  const length = scaleLinear([0, most], [0, 100]);
  return html`<div class="${polarity}">
    <h3>${polarity === "pro" ? "Pros" : "Cons"}<span class="unseen"> of ${nameShown(row.brand)}</span></h3>
    ${
      points.length === 0
        ? html`<p class="unmeasured">None is said.</p>`
        : html`<ol>
            ${points.map(
              (point) =>
                html`<li>
                  <p class="point-head"><strong>${nameShown(point.phrase)}</strong> ${countsOf(point)}</p>
                  <svg
                    class="meter"
                    viewBox="0 0 100 6"
                    preserveAspectRatio="none"
                    aria-hidden="true"
                    focusable="false"
                  >
                    <rect width="${rounded(length(point.answers))}" height="6" />
                  </svg>
                  ${row.quotations
                    .filter((one) => one.polarity === polarity && one.head === point.head)
                    .map((one) => quotationShown(one, view))}
                </li>`,
            )}
          </ol>`
    }
  </div>`;
}

function countsOf({ answers, asked }: Point): Html {
  const more = asked === 0 ? "" : `, ${asked} more when asked`;
  return html`<span class="hint">${figure(answers, (value) => counted(value, "answer"))}${more}</span>`;
}
