import { MOST_ROWS } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { count } from "../../../core/shared/counts.ts";

/** Section with a table and its download, or a hint if the table is empty. */
export function tablePanel(of: {
  /** Anchor and id of the heading. */
  id: string;
  title: string;
  hint: string | Html;
  /** Undefined without rows. */
  table: Html | undefined;
  /** Shown instead of an empty table; omitted for tables that are never empty. */
  empty?: Html;
  /** Download URL and its number of rows. */
  csv?: { href: string; rows: number };
  pager?: Html | undefined;
  /** Number of answers, and what was excluded. */
  note?: Html | undefined;
}): Html {
  const { id, title, hint, table, empty, csv, pager, note } = of;
  return html`<section class="panel" aria-labelledby="${id}">
    <div class="panel-head">
      <h2 id="${id}">${title}</h2>
      <p class="hint">${hint} ${csv && csv.rows > 0 && download(csv)}</p>
    </div>
    ${table ?? empty} ${pager} ${note}
  </section>`;
}

function download({ href, rows }: { href: string; rows: number }): Html {
  const part = rows > MOST_ROWS && ` (the first ${count(MOST_ROWS)} rows)`;
  return html`<a href="${href}">Download CSV${part}</a>`;
}

/** Links to the neighbouring pages of a fully loaded list. `page` is zero-based. */
export function numberedPager(of: {
  page: number;
  /** Rows per page, and in total. */
  size: number;
  all: number;
  to: (page: number) => string;
}): Html | undefined {
  const { page, size, all, to } = of;
  if (all <= size) return undefined;
  return html`<p class="pager">
    ${page > 0 && html`<a href="${to(page - 1)}">Previous</a>`}
    <span>${count(page * size + 1)} to ${count(Math.min(all, (page + 1) * size))} of ${count(all)}</span>
    ${(page + 1) * size < all && html`<a href="${to(page + 1)}">Next</a>`}
  </p>`;
}
