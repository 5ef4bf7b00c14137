import type { Instant } from "../../../core/shared/time.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { filterForm, type ShownAnalysis, type ShownCollect } from "./filters.ts";
import { renderName } from "./format-metrics.ts";
import { renderChecklist } from "./checklist.ts";
import { analysisAddress, buildImportAddress, type WorkspaceIds } from "./page-addresses.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

/** Progress and remaining time of a collect in progress. A script updates it. */
export function renderCollectProgress(
  collects: readonly Pick<ShownCollect, "number" | "status" | "progress" | "failed">[],
  now: Instant,
): Html | undefined {
  const running = collects.find(({ status }) => status === "queued" || status === "running");
  if (!running) return undefined;
  const { number, progress, failed } = running;
  return html`<section class="panel running" id="collect-state" data-refresh aria-labelledby="running">
    <h2 id="running">Run ${number} is ${running.status === "queued" ? "waiting to start" : "in progress"}</h2>
    <progress max="${Math.max(1, progress.planned)}" value="${progress.done}" aria-labelledby="running"></progress>
    <p class="hint">
      ${formatInteger(progress.done)} of ${formatInteger(progress.planned)}
      answers${failed > 0 && `, ${formatInteger(failed)} failed`}.
      ${progress.eta !== null && html`At this pace ${formatTimeLeft(progress.eta, now)}: it completes at ${renderInstant(progress.eta, "")}.`}
      <a href="">Reload</a>
    </p>
  </section>`;
}

export function renderFailureNotice([newest]: readonly ShownCollect[], ids: WorkspaceIds): Html | undefined {
  if (newest?.status !== "failed") return undefined;
  return html`<p class="caution">
    ${describeFailure(newest)} Figures are from earlier runs.
    <a href="${analysisAddress(ids, newest.analysis_id)}">View the analysis</a>
  </p>`;
}

function describeFailure({ number, planned }: ShownCollect): string {
  return `Run ${number} failed: none of its ${formatCount(planned, "answer")} arrived.`;
}

const MINUTE_MS = 60_000;

/** Such as `3 minutes are left`, in the largest sufficient unit. */
export function formatTimeLeft(end: Instant, now: Instant): string {
  const minutes = Math.round((Date.parse(end) - Date.parse(now)) / MINUTE_MS);
  if (minutes < 1) return "less than a minute is left";
  const [left, unit] = minutes < 120 ? [minutes, "minute"] : [Math.round(minutes / 60), "hour"];
  return `${formatCount(left, unit)} ${left === 1 ? "is" : "are"} left`;
}

export function renderNoMetricsPage(view: {
  title: string;
  path: string;
  query: URLSearchParams;
  analyses: readonly ShownAnalysis[];
  analysis: ShownAnalysis | undefined;
  collects: readonly ShownCollect[];
  now: Instant;
  isEditor: boolean;
  hasBrand: boolean;
  ids: WorkspaceIds;
  mcpUrl: string;
}): Html {
  const { title, path, query, analyses, analysis, collects, now, isEditor } = view;
  const options = analyses.map(({ id, name }) => [id, name] as const);
  return html`<h1>${title}</h1>
    ${analysis && filterForm(path, query, [{ name: "analysis", label: "Analysis", options }], { defaults: { analysis: analysis.id } })}
    ${renderCollectProgress(collects, now)}
    ${
      analysis
        ? renderWaiting(analysis, collects, isEditor)
        : html`<p class="lead">This workspace has no figures yet. Follow these steps to get the first ones.</p>
            ${!isEditor && html`<p class="caution">You have read access. An editor of the workspace can take these steps.</p>`}
            ${renderChecklist(view.mcpUrl, view)}`
    }`;
}

function renderWaiting(analysis: ShownAnalysis, collects: readonly ShownCollect[], isEditor: boolean): Html {
  const { id, name, status, status_reason: reason, next_collect_at: next } = analysis;
  const [latest] = collects;
  return html`<div class="empty">
    <p>${renderName(name)} has no figures yet: no run has completed with answers.</p>
    ${latest?.status === "failed" && html`<p>${describeFailure(latest)}</p>`}
    ${reason !== null && html`<p>It is ${status}: ${reason}</p>`}
    ${next !== null && html`<p>The next run starts on ${renderInstant(next, "")}.</p>`}
    <a class="button secondary" href="${analysisAddress(analysis, id)}">View the analysis</a>
    ${isEditor && analysis.type === "search_analysis" && html`<a class="button secondary" href="${buildImportAddress(analysis, id)}">Import recorded answers</a>`}
  </div>`;
}
