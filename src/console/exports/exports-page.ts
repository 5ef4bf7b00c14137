import type { z } from "zod";
import { EXPORT_FORMATS, EXPORT_KINDS } from "../../../core/exports/exports.ts";
import { SOURCE_NAMES, SOURCES } from "../../../core/sources/sources.ts";
import type { listExports } from "../../../tools/exports/list-exports.ts";
import { EXPORT_TABLES } from "../../../tools/exports/export-tables.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { formIdField, type Notice } from "../shared/page-with-forms.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { selectField } from "../../http/pages/fields.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox, renderInstant } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderMetric, renderName, truncateName } from "../shared/format-metrics.ts";
import { cursorPager } from "../shared/filters.ts";
import { answersAddress, exportsAddress, type WorkspaceIds } from "../shared/page-addresses.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

type ExportList = z.output<typeof listExports.output>;
type ListedExport = ExportList["data"][number];

export interface ExportsView extends Notice {
  ids: WorkspaceIds;
  query: URLSearchParams;
  exports: ExportList;
  canDelete: (one: ListedExport) => boolean;
  /** Analyses that an export can be limited to. */
  analyses: readonly { id: string; name: string }[];
}

const FORMAT_NAMES: Readonly<Record<ListedExport["format"], string>> = {
  csv: "CSV",
  jsonl: "JSON Lines",
  parquet: "Parquet",
};

const TABLE_NAMES: Readonly<Record<ListedExport["what"], string>> = {
  answers: "Answers",
  mentions: "Mentions and ranks of brands",
  citations: "Cited and read pages",
  queries: "Searches of assistants",
  jobs: "Prompts sent",
  catalog: "Brand catalog and its changes",
  visibility: "Visibility figures",
  stances: "Stances, pros and cons",
  pages: "Audited pages",
};

const STATUS_LABELS: Readonly<Record<ListedExport["status"], readonly [words: string, mark: string]>> = {
  queued: ["Waiting", ""],
  running: ["In progress", ""],
  completed: ["Ready", " badge-good"],
  failed: ["Failed", " badge-bad"],
};

export function renderExportsPage(view: ExportsView): Html {
  const { ids, query, exports, done, problem } = view;
  const isInProgress = exports.data.some(({ status }) => status === "queued" || status === "running");
  return html`<p class="crumb"><a href="${answersAddress(ids)}">Answers</a></p>
    <h1>Exports</h1>
    <p class="lead">Download a snapshot of this workspace's data. A link works for 24 hours, for anyone who has it.</p>
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`} ${alertBox(problem)}
    ${renderNewExportForm(view)}
    <section id="files" ${isInProgress && html` data-refresh`} aria-labelledby="all">
      <h2 id="all">Files</h2>
      ${
        exports.data.length === 0
          ? html`<p class="faint">None yet.</p>`
          : scrollTable({
              label: "Exported files",
              columns: [
                "Data",
                "File",
                "Format",
                { number: "Rows" },
                { number: "Size" },
                "As of",
                { unseen: "Delete" },
              ],
              rows: exports.data.map((one) => renderExportRow(one, view)),
            })
      }
      ${cursorPager(exportsAddress(ids), query, exports.next_cursor)}
    </section>`;
}

function renderNewExportForm({ ids, analyses }: ExportsView): Html {
  return html`<section aria-labelledby="new">
    <h2 id="new">New export</h2>
    ${postForm(
      { action: `${exportsAddress(ids)}/create`, className: "choices" },
      (fields) =>
        html`${formIdField()}
          ${selectField(fields, {
            name: "what",
            label: "Data",
            options: EXPORT_KINDS.map((what) => [what, TABLE_NAMES[what]]),
          })}
          ${selectField(fields, {
            name: "format",
            label: "Format",
            options: EXPORT_FORMATS.map((format) => [format, FORMAT_NAMES[format]]),
          })}
          ${selectField(fields, {
            name: "analysis",
            label: "Analysis",
            options: [["", "All"], ...analyses.map(({ id, name }) => [id, truncateName(name)] as const)],
          })}
          ${selectField(fields, {
            name: "source",
            label: "Source",
            options: [["", "All"], ...SOURCES.map((source) => [source, SOURCE_NAMES[source]] as const)],
          })} <button class="primary">Export</button>`,
    )}
    <details>
      <summary>What each contains</summary>
      <dl class="meta">
        ${EXPORT_KINDS.map(
          (what) =>
            html`<div>
              <dt>${TABLE_NAMES[what]}</dt>
              <dd>${EXPORT_TABLES[what].doc}</dd>
            </div>`,
        )}
      </dl>
    </details>
  </section>`;
}

const [KILOBYTE, MEGABYTE] = [1000, 1_000_000];

function formatSize(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} B`;
  return bytes < MEGABYTE ? `${Math.round(bytes / KILOBYTE)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function renderExportRow(row: ListedExport, { ids, analyses, canDelete }: ExportsView): Html {
  const [words, mark] = STATUS_LABELS[row.status];
  const narrowed = [
    ...(row.filters.analysis_ids ?? []).map(
      (id) => analyses.find((analysis) => analysis.id === id)?.name ?? "1 analysis",
    ),
    ...(row.filters.sources ?? []).map((source) => SOURCE_NAMES[source]),
  ];
  const label = TABLE_NAMES[row.what];
  return html`<tr>
    <th scope="row">
      ${label} <small>${narrowed.map((name, at) => html`${at > 0 && ", "}${renderName(name)}`)}</small>
    </th>
    <td>
      ${
        row.url === null
          ? html`<span class="badge${mark}">${words}</span>`
          : html`<a href="${row.url}">Download<span class="unseen"> ${label}</span></a>`
      }
      ${row.failure_reason !== null && html`<small>${row.failure_reason}</small>`}
    </td>
    <td>${FORMAT_NAMES[row.format]}</td>
    <td class="number">${renderMetric(row.rows, formatInteger)}</td>
    <td class="number">${renderMetric(row.size_bytes, formatSize)}</td>
    <td class="when">${renderInstant(row.as_of ?? row.created_at, "")}</td>
    <td>
      ${
        canDelete(row) &&
        confirmationForm({
          action: `${exportsAddress(ids)}/delete`,
          verb: "Delete",
          target: label,
          effect: "The file is deleted, and its link stops working at once. The exported data stays.",
          hidden: { export_id: row.id },
        })
      }
    </td>
  </tr>`;
}
