import { MOST_ROWS } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { count } from "../../../core/shared/counts.ts";

/** A part of a page that is a table: what it holds, its download, and in its place what to do where it is empty. */
export function tablePanel(of: {
  /** Of the heading, by which addresses lead here. */
  id: string;
  title: string;
  hint: string | Html;
  /** Undefined where there are no rows. */
  table: Html | undefined;
  /** What stands in its place then; left out of a table that always has some. */
  empty?: Html;
  /** Where the download is, and how many rows it would have. */
  csv?: { href: string; rows: number };
  pager?: Html | undefined;
  /** How many answers it rests on, and what was left out. */
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

/** The links to the pages around this one, of a list that is read whole. `page` begins with 0. */
export function numberedPager(of: {
  page: number;
  /** Rows of a page, and of the list. */
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
