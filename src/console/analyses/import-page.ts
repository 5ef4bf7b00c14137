import type { z } from "zod";
import { SOURCE_NAMES, SOURCES } from "../../../core/sources/sources.ts";
import type { getImportReport } from "../../../tools/answers/get-import-report.ts";
import { formIdField } from "../shared/page-with-forms.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { textareaField } from "../../http/pages/fields.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { runBadge } from "../audits/labels.ts";
import { renderMetric, renderName } from "../shared/format-metrics.ts";
import {
  analysesAddress,
  analysisAddress,
  answersAddress,
  buildImportAddress,
  visibilityAddress,
} from "../shared/page-addresses.ts";
import type { AnalysisWithSetup } from "./labels.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

export interface ImportView {
  analysis: AnalysisWithSetup;
  /** False if the analysis accepts no imports or the visitor lacks permission. */
  canImport: boolean;
  report: { collectId: string; of: z.output<typeof getImportReport.output> } | undefined;
  problem?: string | undefined;
}

const FILE = html`enctype="multipart/form-data"`;

export function renderImportPage(view: ImportView): Html {
  const { analysis, canImport, report, problem } = view;
  const at = buildImportAddress(analysis, analysis.id);
  return html`<p class="crumb">
      <a href="${analysesAddress(analysis)}">Analyses</a> /
      <a href="${analysisAddress(analysis, analysis.id)}">${renderName(analysis.name)}</a>
    </p>
    <h1>Import answers</h1>
    <p class="lead">Answers that were collected elsewhere are measured here, as one collect. It costs no credits.</p>
    ${alertBox(problem)} ${report && renderReport(view, report)}
    ${
      canImport
        ? html`<section class="panel" aria-labelledby="file">
              <h2 id="file">A file</h2>
              ${postForm(
                { action: at, attributes: FILE, className: "stack" },
                html`${formIdField()}
                  <label class="field"
                    >JSON Lines, one answer a line
                    <input type="file" name="lines" required accept=".jsonl,.ndjson,.json,application/x-ndjson" />
                  </label>
                  <div class="row-actions">
                    <button class="primary">Import file</button>
                    <a href="${at}/sample.jsonl">Download a sample file</a>
                  </div>`,
              )}
            </section>
            <section class="panel" aria-labelledby="pasted">
              <h2 id="pasted">Or pasted lines</h2>
              ${postForm(
                { action: `${at}/pasted`, attributes: FILE, className: "stack" },
                (fields) =>
                  html`${formIdField()}
                    ${textareaField(fields, {
                      name: "pasted",
                      label: "At most 1 MB",
                      rows: 6,
                      attributes: html`required spellcheck="false" class="code"`,
                    })}
                    <div class="row-actions"><button class="secondary">Import lines</button></div>`,
              )}
            </section>`
        : html`<p class="caution">Editors import answers into a search analysis that is not archived.</p>`
    }
    ${renderFieldTable()}`;
}

function renderReport({ analysis }: ImportView, { collectId, of }: NonNullable<ImportView["report"]>): Html {
  const { status, accepted, months, rejected_count: rejectedCount, rejected } = of;
  const isInProgress = status === "queued" || status === "running";
  const answers = `${answersAddress(analysis)}?analysis=${analysis.id}&collect=${collectId}`;
  return html`<section
    class="panel"
    ${isInProgress && html` id="import-report" data-refresh `}
    aria-labelledby="report"
  >
    <h2 id="report">What became of the lines ${runBadge(status)}</h2>
    ${isInProgress && html`<progress aria-labelledby="report"></progress>`}
    <p>
      ${renderMetric(accepted, (value) => formatCount(value, "line"))} accepted${isInProgress && " so far"},
      ${renderMetric(rejectedCount, (value) => formatCount(value, "line"))} rejected.
      ${isInProgress && html`The rest is being read. <a href="">Reload</a>`}
      ${status === "failed" && "No line was accepted, so no figure changed."}
    </p>
    ${months.length > 1 && html`<p class="hint">Its answers lie more than a month apart, so they became ${months.length} collects, one a month.</p>`}
    ${
      !isInProgress &&
      accepted > 0 &&
      html`<div class="controls">
        <a class="button secondary" href="${visibilityAddress(analysis)}?analysis=${analysis.id}">See the figures</a>
        <a class="button secondary" href="${answers}">See the answers</a>
      </div>`
    }
    ${
      rejected.length > 0 &&
      scrollTable({
        label: "Rejected lines",
        className: "sticky",
        columns: [{ number: "Line" }, "Why"],
        rows: rejected.map(
          ({ line, message }) =>
            html`<tr>
              <td class="number">${line}</td>
              <td>${message}</td>
            </tr>`,
        ),
      })
    }
    ${rejectedCount > rejected.length && html`<p class="hint">The first ${rejected.length} of ${formatCount(rejectedCount, "rejected line")}.</p>`}
  </section>`;
}

const LINE_FIELDS: readonly (readonly [name: string, what: string])[] = [
  ["keyword", "Prompt or search term that was sent. Required. New prompts are added to the analysis."],
  ["source", "Who answered. Needed: a value of the list below."],
  ["text", "The answer as it was shown. Needed, unless there are results."],
  ["results", "Rows of a result page: rank, url, and title and snippet if known."],
  ["citations", "Pages that the answer links to: url, and title and position if known."],
  ["retrieved", "Pages that the assistant read, cited or not: as citations."],
  ["queries", "What the assistant searched for, as a list of texts."],
  ["run", "1 for the first time that the prompt was asked, 2 for the second."],
  ["collected_at", "When: 2026-11-21T04:31:00Z. Answers more than 31 days apart become a collect a month."],
  ["thematic, topic", "Groups of the keyword, if it is new."],
  ["model, provider, locale", "Who answered in detail, and in which language: en-GB."],
];

function renderFieldTable(): Html {
  return html`<section class="panel" aria-labelledby="fields">
    <div class="panel-head">
      <h2 id="fields">Fields of a line</h2>
      <p class="hint">Each line is a JSON object. Lines that are broken are named by number; the others are kept.</p>
    </div>
    ${scrollTable({
      label: "Fields of a line, with what each holds",
      className: "fitted",
      columns: ["Field", "What it holds"],
      rows: LINE_FIELDS.map(
        ([name, what]) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${what}</td>
          </tr>`,
      ),
    })}
    <p class="hint">Sources: ${SOURCES.map((source) => `${source} (${SOURCE_NAMES[source]})`).join(", ")}.</p>
  </section>`;
}

export function buildSampleLines(): string {
  const lines = [
    {
      keyword: "best espresso machine for beginners",
      source: "ASSISTANT_A",
      run: 1,
      text: "1. **Kestrova One** is forgiving and quick to heat up.\n2. **Nova Brew** costs less.",
      citations: [{ url: "https://reviews.example/espresso", title: "Espresso machines, tested" }],
      collected_at: "2026-11-21T04:31:00Z",
      topic: "First machine",
      locale: "en-GB",
    },
    {
      keyword: "espresso machine",
      source: "SEARCH_A",
      results: [
        { rank: 1, url: "https://kestrova.example/machines", title: "Machines" },
        { rank: 2, url: "https://reviews.example/espresso", title: "Espresso machines, tested" },
      ],
      collected_at: "2026-11-21T04:32:00Z",
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
