import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable, type Column } from "../../http/pages/table.ts";
import { rounded } from "./chart.ts";

/** A whole split into shares, in the order of the parts. */
interface SharedBar {
  name: Html;
  isOwn: boolean;
  /** Null if nothing was counted. */
  shares: readonly { value: number | null; count: number }[];
  /** Basis of the shares, such as `69 answers`. */
  of: Html;
}

interface ShareBars {
  label: string;
  /** Headers: the name, at most five parts with their colour marks, and the basis. */
  columns: readonly Column[];
  bars: readonly SharedBar[];
  written: (value: number) => string;
}

/** Stacked bars in a table that also states the shares. */
export function shareBars({ label, columns, bars, written }: ShareBars): Html {
  return scrollTable({
    label,
    className: "shares sticky fitted",
    columns,
    rows: bars.map(
      ({ name, isOwn, shares, of }) =>
        html`<tr ${isOwn && html` class="own"`}>
          <th scope="row">${name} ${drawn(shares)}</th>
          ${shares.map(({ value, count }) =>
            value === null
              ? html`<td class="number"><span class="faint">–</span></td>`
              : html`<td class="number"><data value="${value}">${written(value)}</data><small>${count}</small></td>`,
          )}
          <td class="number soft">${of}</td>
        </tr>`,
    ),
  });
}

export function partMark(at: number): Html {
  return html`<span class="share-part share-part-${at}" aria-hidden="true"></span>`;
}

function drawn(shares: SharedBar["shares"]): Html {
  let from = 0;
  const parts = shares.map(({ value }, at) => {
    const [start, width] = [from, (value ?? 0) * 100];
    from += width;
    return (
      width > 0 && html`<rect class="share-part-${at}" x="${rounded(start)}" width="${rounded(width)}" height="8" />`
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
