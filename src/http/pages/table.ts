import { html, type Html } from "./html.ts";

export type Column =
  | string
  | { number: string | Html; sortDirection?: "asc" | "desc" | undefined }
  | { text: Html; sortDirection: "asc" | "desc" | undefined }
  | { unseen: string };

/** Scrolls horizontally on narrow screens. `label` describes the table for screen readers. */
export function scrollTable(table: {
  label: string;
  columns: readonly Column[];
  rows: readonly Html[];
  className?: string;
}): Html {
  const { label, columns, rows, className } = table;
  const classes = ["scroll", className].filter(Boolean).join(" ");
  return html`<div class="${classes}" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map(renderHeaderCell)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function renderHeaderCell(column: Column): Html {
  if (typeof column === "string") return html`<th scope="col">${column}</th>`;
  if ("unseen" in column) return html`<th scope="col"><span class="unseen">${column.unseen}</span></th>`;
  const sorted =
    column.sortDirection && html` aria-sort="${column.sortDirection === "asc" ? "ascending" : "descending"}"`;
  if ("text" in column) return html`<th scope="col" ${sorted}>${column.text}</th>`;
  return html`<th scope="col" class="number" ${sorted}>${column.number}</th>`;
}
