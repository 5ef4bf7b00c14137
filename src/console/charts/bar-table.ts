import { scaleLinear } from "d3-scale";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";

interface TableBar {
  name: Html;
  value: number;
  /** Such as `6 answers`. */
  note: string;
  isOwn: boolean;
}

export interface BarTable {
  label: string;
  headers: readonly [name: string, value: string];
  bars: readonly TableBar[];
  formatValue: (value: number) => string;
}

export function renderBarTable({ label, headers: [head, number], bars, formatValue }: BarTable): Html {
  const length = scaleLinear([0, Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)], [0, 100]);
  return scrollTable({
    label,
    className: "bars",
    columns: [head, { number }],
    rows: bars.map(
      ({ name, value, note, isOwn }) =>
        html`<tr ${isOwn && html` class="own"`}>
          <th scope="row">
            ${name}
            <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <rect width="${Math.round(length(value) * 10) / 10}" height="6" />
            </svg>
          </th>
          <td class="number"><data value="${value}">${formatValue(value)}</data><small>${note}</small></td>
        </tr>`,
    ),
  });
}
