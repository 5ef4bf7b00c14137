import { removeInvisible } from "../../../core/shared/fields.ts";
import { describeSchedule } from "../../../core/analyses/schedule.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import type { Notice } from "../shared/page-with-forms.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox, renderInstant } from "../../http/pages/page.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { scrollTable, type Column } from "../../http/pages/table.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { auditAddress, runBadge } from "../audits/labels.ts";
import { renderCollectProgress } from "../shared/collect-progress.ts";
import { renderMetric, renderName, renderSentence } from "../shared/format-metrics.ts";
import { cursorPager, type ShownCollect } from "../shared/filters.ts";
import { sortableTable } from "../shared/table-sort.ts";
import {
  analysesAddress,
  analysisAddress,
  answersAddress,
  buildImportAddress,
  visibilityAddress,
} from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import {
  renderAnswerOriginBadge,
  renderAnalysisOriginBadge,
  renderStatusBadge,
  TYPE_NAMES,
  type AnalysisWithSetup,
} from "./labels.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

export interface AnalysisView extends Notice {
  analysis: AnalysisWithSetup;
  collects: readonly ShownCollect[];
  nextCursor: string | null;
  query: URLSearchParams;
  now: Instant;
  canEdit: boolean;
  quote: { id: string; message: string; credits: number } | undefined;
}

export function renderAnalysisPage(view: AnalysisView): Html {
  const { analysis, collects, now, canEdit, done, problem } = view;
  const { type, status } = analysis;
  return html`<p class="crumb"><a href="${analysesAddress(analysis)}">Analyses</a></p>
    <div class="page-head">
      <h1>${renderName(analysis.name)}</h1>
      <span class="badges"
        ><span class="badge">${TYPE_NAMES[type]}</span> ${renderStatusBadge(status)}
        ${renderAnalysisOriginBadge({ type, website: analysis.setup["website"] }, collects)}</span
      >
    </div>
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`} ${alertBox(problem)}
    ${analysis.status_reason !== null && html`<p class="caution">${analysis.status_reason}</p>`}
    ${renderAnalysisDetails(analysis)} ${renderCollectProgress(collects, now)} ${renderQuoteConfirmation(view)}
    ${renderControls(view)} ${renderCollectsSection(view)} ${canEdit && status !== "archived" && renderRenameForm(view)}
    ${!canEdit && html`<p class="hint">Only editors of this workspace can run, pause, rename and archive it.</p>`}`;
}

function renderAnalysisDetails(analysis: AnalysisWithSetup): Html {
  const { schedule, ends_at: end, collects_planned: planned, collects_left: left, max_spend_usd: cap } = analysis;
  return html`<dl class="meta">
    ${definitionItem("Schedule", describeSchedule(schedule))}
    ${definitionItem("Next run", renderInstant(analysis.next_collect_at, "None planned"))}
    ${end !== null && definitionItem("Ends", renderInstant(end, "", "day"))}
    ${definitionItem("Runs left", `${left} of ${planned}`)}
    ${definitionItem("Credits reserved", formatInteger(analysis.reserved_credits))}
    ${(cap !== null || analysis.spent_usd > 0) && definitionItem("Paid to providers", `$${analysis.spent_usd.toFixed(2)}${cap === null ? "" : ` of at most $${cap}`}`)}
  </dl>`;
}

function renderQuoteConfirmation({ quote, analysis }: AnalysisView): Html | undefined {
  if (!quote) return undefined;
  const [head = "", ...lines] = quote.message.split("\n");
  return html`<section class="panel" aria-labelledby="priced">
    <h2 id="priced">${renderSentence(head)}</h2>
    <pre class="setup" tabindex="0">${removeInvisible(lines.join("\n").trim())}</pre>
    ${postForm(
      {
        action: `${analysisAddress(analysis, analysis.id)}/run`,
        className: "row-actions",
        hidden: { quote_id: quote.id },
      },
      html`<button class="primary">Run it for ${formatCount(quote.credits, "credit")}</button>
        <a class="button secondary" href="${analysisAddress(analysis, analysis.id)}">Not now</a>`,
    )}
  </section>`;
}

function renderControls(view: AnalysisView): Html {
  const { analysis, collects, canEdit } = view;
  const { id, status } = analysis;
  const at = analysisAddress(analysis, id);
  const isInProgress = collects.some(({ finished_at: end }) => end === null);
  const post = (name: string, words: string) =>
    postForm({ action: `${at}/${name}` }, html`<button class="secondary">${words}</button>`);
  const isActive = canEdit && status !== "archived" && status !== "paused";
  return html`<div class="controls">
    <a class="button secondary" href="${buildMetricsAddress(analysis)}"
      >${analysis.type === "geo_audit" ? "View scores" : "View figures"}</a
    >
    ${
      canEdit &&
      analysis.type === "search_analysis" &&
      status !== "archived" &&
      html`<a class="button secondary" href="${buildImportAddress(analysis, id)}">Import answers</a>`
    }
    ${isActive && !isInProgress && !view.quote && post("price", "Run now: show the price")}
    ${isActive && post("pause", "Pause")} ${canEdit && status === "paused" && post("resume", "Resume")}
    ${
      canEdit &&
      status !== "archived" &&
      confirmationForm({
        action: `${at}/archive`,
        verb: "Archive",
        effect:
          "This is final. Planned runs are canceled and their credits released; prompts in flight still complete. Answers and figures stay readable.",
      })
    }
  </div>`;
}

function buildMetricsAddress(analysis: AnalysisWithSetup): string {
  return analysis.type === "geo_audit"
    ? auditAddress({ ...analysis, analysis_id: analysis.id })
    : `${visibilityAddress(analysis)}?analysis=${analysis.id}`;
}

const COLLECTS_TABLE = sortableTable("collects", {
  number: ["desc", ({ number }: ShownCollect) => number],
  status: ["asc", ({ status }: ShownCollect) => status],
  started_at: ["desc", (one: ShownCollect) => one.started_at],
  planned: ["desc", ({ planned }: ShownCollect) => planned],
  succeeded: ["desc", ({ succeeded }: ShownCollect) => succeeded],
  failed: ["desc", ({ failed }: ShownCollect) => failed],
  credits: ["desc", ({ cost }: ShownCollect) => cost.spent_credits],
});

export const COLLECT_COLUMNS: readonly CsvColumn<ShownCollect>[] = [
  "number",
  "id",
  "status",
  "collection_methods",
  "setup_version",
  "started_at",
  "finished_at",
  "planned",
  "succeeded",
  "failed",
  ["reserved_credits", ({ cost }) => cost.reserved_credits],
  ["spent_credits", ({ cost }) => cost.spent_credits],
];

function renderCollectsSection(view: AnalysisView): Html {
  const { analysis, collects, query, nextCursor } = view;
  const path = analysisAddress(analysis, analysis.id);
  const isWhole = nextCursor === null && !query.has("cursor");
  return tablePanel({
    id: "collects",
    title: "Runs",
    hint: "Each run sends every prompt. Failed answers cost nothing.",
    csv: { href: `${path}/collects.csv`, rowCount: collects.length },
    table:
      collects.length === 0
        ? undefined
        : scrollTable({
            label: "Runs of this analysis",
            className: "sticky fitted",
            columns: collectHeaders(path, query, isWhole),
            rows: (isWhole ? COLLECTS_TABLE.sortRows(collects, query) : collects).map((one) =>
              renderCollectRow(one, analysis),
            ),
          }),
    empty: html`<p class="faint">None yet.</p>`,
    pager: cursorPager(path, query, nextCursor),
  });
}

/** A paginated list is always newest first. */
function collectHeaders(path: string, query: URLSearchParams, isWhole: boolean): Column[] {
  const head = COLLECTS_TABLE.headers(path, query, { sort: "number", direction: "desc" });
  const text = (sort: Parameters<typeof head>[0], words: string) => (isWhole ? head(sort, words, "text") : words);
  const number = (sort: Parameters<typeof head>[0], words: string) => (isWhole ? head(sort, words) : { number: words });
  return [
    text("number", "Run"),
    text("status", "Status"),
    "Answers",
    text("started_at", "Collected"),
    number("planned", "Planned"),
    number("succeeded", "Answered"),
    number("failed", "Failed"),
    number("credits", "Credits"),
  ];
}

function renderCountCell(value: number): Html {
  return html`<td class="number">${renderMetric(value, formatInteger)}</td>`;
}

function renderCollectRow(collect: ShownCollect, analysis: AnalysisWithSetup): Html {
  const { number, status, id, started_at: start, finished_at: end } = collect;
  const collectAddress =
    analysis.type === "geo_audit"
      ? `${auditAddress({ ...analysis, analysis_id: analysis.id })}?run=${id}`
      : `${answersAddress(analysis)}?analysis=${analysis.id}&collect=${id}`;
  return html`<tr>
    <th scope="row"><a href="${collectAddress}">${number}</a></th>
    <td>${runBadge(status)}</td>
    <td>${renderAnswerOriginBadge(collect.collection_methods)}</td>
    <td>
      ${renderInstant(start, "Not started")} ${end !== null && html`<small>until ${renderInstant(end, "")}</small>`}
    </td>
    ${renderCountCell(collect.planned)} ${renderCountCell(collect.succeeded)} ${renderCountCell(collect.failed)}
    ${renderCountCell(collect.cost.spent_credits)}
  </tr>`;
}

function renderRenameForm({ analysis }: AnalysisView): Html {
  return html`<section class="panel" aria-labelledby="rename">
    <h2 id="rename">Rename</h2>
    ${postForm(
      { action: `${analysisAddress(analysis, analysis.id)}/rename`, className: "renaming" },
      (fields) =>
        html`<label class="field"
            ><span class="unseen">Name</span>
            <input ${fields.input("name", analysis.name)} required maxlength="200" autocomplete="off" />
          </label>
          <button class="secondary">Rename</button>`,
    )}
  </section>`;
}
