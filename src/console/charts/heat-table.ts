import { scaleQuantize } from "d3-scale";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { shortened } from "../../http/pages/truncate-text.ts";

const MAX_NAME_LENGTH = 40;

export interface HeatCell {
  value: number;
  /** Text that replaces the value in the cell. */
  displayedValue?: Html;
  /** Such as `6 of 13 answers`. */
  counts: string;
  href?: string | undefined;
}

export interface HeatTable {
  label: string;
  rowHeader: string;
  columns: readonly string[];
  /** Rows of cells; a cell is null if nothing was counted. */
  rows: readonly { name: string; isOwn: boolean; cells: readonly (HeatCell | null)[] }[];
  formatValue: (value: number) => string;
}

/** Shades, weakest first; each has a class in the style sheet. */
const SHADE_LEVELS = [0, 1, 2, 3, 4, 5];

export function heatTable({ label, rowHeader, columns, rows, formatValue }: HeatTable): Html {
  const values = rows.flatMap(({ cells }) => cells.map((cell) => cell?.value ?? 0));
  const shade = scaleQuantize([0, Math.max(...values, Number.MIN_VALUE)], SHADE_LEVELS);
  return scrollTable({
    label,
    className: "heat",
    columns: [rowHeader, ...columns.map((name) => ({ number: html`<bdi>${shortened(name, MAX_NAME_LENGTH)}</bdi>` }))],
    rows: rows.map(
      ({ name, isOwn, cells }) =>
        html`<tr ${isOwn && html` class="own"`}>
          <th scope="row"><bdi>${shortened(name, MAX_NAME_LENGTH)}</bdi></th>
          ${cells.map((cell) =>
            cell
              ? html`<td class="number heat-${shade(cell.value)}" title="${cell.counts}">
                  ${wrapInLink(cell, cell.displayedValue ?? html`<data value="${cell.value}">${formatValue(cell.value)}</data>`)}
                </td>`
              : html`<td class="number"><span class="faint">–</span></td>`,
          )}
        </tr>`,
    ),
  });
}

function wrapInLink({ href }: HeatCell, shown: Html): Html {
  return href === undefined ? shown : html`<a href="${href}">${shown}</a>`;
}
