import type { z } from "zod";
import type { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { renderName } from "../shared/format-metrics.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { renderChangesSection } from "./changes.ts";
import { renderChecksSection } from "./checks.ts";
import { renderFindings } from "./findings.ts";
import { renderFixFirstSection } from "./fix-first.ts";
import { renderPagesSection, type PagesView } from "./pages-table.ts";
import { renderScoreCards } from "./scores.ts";
import type { ShownAudit } from "./view.ts";
import {
  auditLink,
  renderUntrustedText,
  runBadge,
  shortenUrl,
  simulatedBadge,
  simulatedNote,
  type AuditLocation,
} from "./labels.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

export interface AuditView extends PagesView {
  location: AuditLocation;
  analysis: z.output<typeof getAnalysis.output>;
  audit: ShownAudit;
  website: string;
}

export function renderAuditPage(view: AuditView): Html {
  const { analysis, audit, location, website } = view;
  const { run } = audit;
  return html`<div class="audit">
    <p class="crumb"><a href="/audits/${location.organization_id}/${location.workspace_id}">Audits</a></p>
    <div class="item-head">
      <h1>${renderName(analysis.name)}</h1>
      <span class="badges">${run && runBadge(run.status)} ${run?.is_simulated === true && simulatedBadge}</span>
    </div>
    <p class="lead">
      GEO audit of
      ${renderUntrustedText(website)}${run && html`, run ${run.number}, begun ${renderInstant(run.started_at, "")}`}
    </p>
    ${location.runId !== undefined && html`<p><a href="${auditLink({ ...location, runId: undefined })}">Newest completed run</a></p>`}
    ${renderRemarks(audit)} ${renderProgress(audit, location)}
    ${run === null ? renderEmptyState(view) : renderRun(view)}
  </div>`;
}

function renderRemarks({ remarks, pages, run }: ShownAudit): Html | undefined {
  if (pages) return html`${remarks.map((remark) => html`<p class="caution">${remark}</p>`)}`;
  return run?.is_simulated === true ? simulatedNote : undefined;
}

function renderProgress({ under_way: activeRun }: ShownAudit, audit: AuditLocation): Html | undefined {
  if (!activeRun) return undefined;
  const done = activeRun.succeeded + activeRun.failed;
  const skippedText = activeRun.failed === 0 ? "" : `, ${formatInteger(activeRun.failed)} of them skipped`;
  return html`<section aria-labelledby="progress">
    <h2 id="progress">
      Run ${activeRun.number} is ${activeRun.status === "queued" ? "waiting to start" : "in progress"}
    </h2>
    <progress max="${activeRun.planned}" value="${done}" aria-labelledby="progress"></progress>
    <p>
      ${formatInteger(done)} of ${formatCount(activeRun.planned, "page")} done${skippedText}.
      <a href="${auditLink(audit)}">Reload</a>
      ${audit.runId !== activeRun.collect_id && html`· <a href="${auditLink({ ...audit, runId: activeRun.collect_id })}">Pages so far</a>`}
    </p>
  </section>`;
}

function renderEmptyState({ audit, analysis }: AuditView): Html | undefined {
  if (audit.under_way) return undefined;
  const why: Partial<Record<typeof analysis.status, string>> = {
    launching: "Its pages are being stored. The first run starts in a moment: reload the page.",
    failed: `The audit failed. ${analysis.status_reason ?? ""}`,
    paused: `The audit is paused. ${analysis.status_reason ?? ""}`,
    archived: "The audit was archived before a run completed.",
  };
  return html`<div class="empty">
    <p>No run has completed yet. ${why[analysis.status] ?? "Scores appear here when the first run completes."}</p>
  </div>`;
}

function renderRun(view: AuditView): Html {
  const { audit, location } = view;
  if (!audit.pages) {
    return html`<p class="lead">
        This run is in progress. Scores appear when it completes; checked pages are listed below.
      </p>
      ${renderPagesSection(view)}`;
  }
  return html`<section aria-labelledby="scores">
      <h2 id="scores">Scores</h2>
      ${renderScoreCards(audit.scores, audit.previous)} ${renderCounts(audit.pages, location)}
      ${renderSkippedReasons(audit)}
    </section>
    ${renderFixFirstSection(audit, location)} ${renderChangesSection(view)} ${renderWorstPages(view)}
    <section aria-labelledby="site">
      <h2 id="site">The site as a whole</h2>
      ${renderFindings(audit.site_checks, "site")}
    </section>
    ${renderChecksSection(view)} ${renderPagesSection(view)}`;
}

function renderCounts(pages: NonNullable<ShownAudit["pages"]>, audit: AuditLocation): Html {
  const link = (outcome: string, many: number) =>
    many === 0 ? "0" : html`<a href="${auditLink(audit, { query: { outcome } })}#pages">${formatInteger(many)}</a>`;
  return html`<dl class="meta">
    ${definitionItem("Pages checked", formatInteger(pages.audited))}
    ${definitionItem("With a failed check", link("fail", pages.fail))}
    ${definitionItem("With warnings only", link("warn", pages.warn))}
    ${definitionItem("No issues", link("pass", pages.pass))}
    ${definitionItem("Skipped", link("skipped", pages.skipped))}
  </dl>`;
}

function renderSkippedReasons({ pages, skipped_reasons: reasons }: ShownAudit): Html | undefined {
  if (reasons.length === 0) return undefined;
  return html`<div>
    ${pages?.audited === 0 && html`<p class="caution">No page could be checked, so there are no scores.</p>`}
    <h3>Why pages were skipped</h3>
    <ul class="plain">
      ${reasons.map(({ reason, pages: many }) => html`<li>${formatCount(many, "page")}: ${reason}</li>`)}
    </ul>
    <p class="hint">A skipped page costs nothing and counts in no score.</p>
  </div>`;
}

const MAX_WORST_PAGES = 5;
const MAX_FAILED_CHECKS = 4;

function renderWorstPages({ audit, location, website }: AuditView): Html | undefined {
  const titles = new Map(audit.checks.map(({ check, title }) => [check, title]));
  const worst = audit.worst_pages.filter(({ failed }) => failed.length > 0).slice(0, MAX_WORST_PAGES);
  if (worst.length === 0) return undefined;
  return html`<section aria-labelledby="worst">
    <h2 id="worst">Worst pages</h2>
    <ul class="cards">
      ${worst.map(
        (page) =>
          html`<li class="item">
            <div class="item-head">
              <h3>
                <a href="${auditLink(location, { page: page.page_id })}"
                  >${renderUntrustedText(shortenUrl(page.url, website))}</a
                >
              </h3>
              <span class="badge">${page.score === null ? "no score" : `${page.score} of 100`}</span>
            </div>
            <ul class="plain">
              ${page.failed.slice(0, MAX_FAILED_CHECKS).map((check) => html`<li>Failed: ${titles.get(check) ?? check}</li>`)}
              ${page.failed.length > MAX_FAILED_CHECKS && html`<li>and ${page.failed.length - MAX_FAILED_CHECKS} more</li>`}
            </ul>
          </li>`,
      )}
    </ul>
  </section>`;
}
