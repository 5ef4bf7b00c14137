import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable, type Column } from "../../http/pages/table.ts";
import { roundCoordinate } from "./chart.ts";

interface ShareBar {
  name: Html;
  isOwn: boolean;
  /** Shares and counts by part; a share is null if nothing was counted. */
  shares: readonly { value: number | null; count: number }[];
  /** Basis of the shares, such as `69 answers`. */
  of: Html;
}

interface ShareBars {
  label: string;
  /** Headers: the name, at most five parts with their colour marks, and the basis. */
  columns: readonly Column[];
  bars: readonly ShareBar[];
  formatValue: (value: number) => string;
}

export function renderShareBars({ label, columns, bars, formatValue }: ShareBars): Html {
  return scrollTable({
    label,
    className: "shares sticky fitted",
    columns,
    rows: bars.map(
      ({ name, isOwn, shares, of }) =>
        html`<tr ${isOwn && html` class="own"`}>
          <th scope="row">${name} ${drawBar(shares)}</th>
          ${shares.map(({ value, count }) =>
            value === null
              ? html`<td class="number"><span class="faint">–</span></td>`
              : html`<td class="number">
                  <data value="${value}">${formatValue(value)}</data><small>${count}</small>
                </td>`,
          )}
          <td class="number soft">${of}</td>
        </tr>`,
    ),
  });
}

export function renderPartSwatch(at: number): Html {
  return html`<span class="share-part share-part-${at}" aria-hidden="true"></span>`;
}

function drawBar(shares: ShareBar["shares"]): Html {
  let from = 0;
  const parts = shares.map(({ value }, at) => {
    const [start, width] = [from, (value ?? 0) * 100];
    from += width;
    return (
      width > 0 &&
      html`<rect class="share-part-${at}" x="${roundCoordinate(start)}" width="${roundCoordinate(width)}" height="8" />`
    );
  });
  return html`<svg
    class="share-bar"
    viewBox="0 0 100 8"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    ${parts}
  </svg>`;
}
