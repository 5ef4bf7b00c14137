import { html, type Html } from "./html.ts";

/** The head of a column: its words, of texts or of numbers, how the table is sorted by it, or for those alone who hear the page. */
export type Column =
  | string
  | { number: string | Html; sorted?: "asc" | "desc" | undefined }
  | { text: Html; sorted: "asc" | "desc" | undefined }
  | { unseen: string };

/** A table that scrolls aside where the screen is too narrow for it. `label` says what it is; `className` marks it for the style sheet. */
export function scrollTable(of: {
  label: string;
  columns: readonly Column[];
  rows: readonly Html[];
  className?: string;
}): Html {
  const { label, columns, rows, className } = of;
  const classes = ["scroll", className].filter(Boolean).join(" ");
  return html`<div class="${classes}" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map(head)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function head(column: Column): Html {
  if (typeof column === "string") return html`<th scope="col">${column}</th>`;
  if ("unseen" in column) return html`<th scope="col"><span class="unseen">${column.unseen}</span></th>`;
  const sorted = column.sorted && html` aria-sort="${column.sorted === "asc" ? "ascending" : "descending"}"`;
  if ("text" in column) return html`<th scope="col" ${sorted}>${column.text}</th>`;
  return html`<th scope="col" class="number" ${sorted}>${column.number}</th>`;
}
