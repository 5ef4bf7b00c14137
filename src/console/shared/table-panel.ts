import { MAX_CSV_ROWS } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export function tablePanel(panel: {
  /** Anchor and id of the heading. */
  id: string;
  title: string;
  hint: string | Html;
  table: Html | undefined;
  /** Shown instead of an empty table; omitted for tables that are never empty. */
  empty?: Html;
  csv?: { href: string; rowCount: number };
  pager?: Html | undefined;
  /** Number of answers, and what was excluded. */
  note?: Html | undefined;
}): Html {
  const { id, title, hint, table, empty, csv, pager, note } = panel;
  return html`<section class="panel" aria-labelledby="${id}">
    <div class="panel-head">
      <h2 id="${id}">${title}</h2>
      <p class="hint">${hint} ${csv && csv.rowCount > 0 && renderCsvLink(csv)}</p>
    </div>
    ${table ?? empty} ${pager} ${note}
  </section>`;
}

function renderCsvLink({ href, rowCount }: { href: string; rowCount: number }): Html {
  const part = rowCount > MAX_CSV_ROWS && ` (the first ${formatInteger(MAX_CSV_ROWS)} rows)`;
  return html`<a href="${href}">Download CSV${part}</a>`;
}

/** `page` is zero-based. */
export function renderNumberedPager(pager: {
  page: number;
  pageSize: number;
  totalRows: number;
  pageUrl: (page: number) => string;
}): Html | undefined {
  const { page, pageSize, totalRows, pageUrl } = pager;
  if (totalRows <= pageSize) return undefined;
  return html`<p class="pager">
    ${page > 0 && html`<a href="${pageUrl(page - 1)}">Previous</a>`}
    <span
      >${formatInteger(page * pageSize + 1)} to ${formatInteger(Math.min(totalRows, (page + 1) * pageSize))} of
      ${formatInteger(totalRows)}</span
    >
    ${(page + 1) * pageSize < totalRows && html`<a href="${pageUrl(page + 1)}">Next</a>`}
  </p>`;
}
