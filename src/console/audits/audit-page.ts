import type { z } from "zod";
import type { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { nameShown } from "../shared/figures.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { instantShown } from "../../http/pages/page.ts";
import { fact } from "../actions/actions-page.ts";
import { changesSection } from "./changes.ts";
import { checksSection } from "./checks.ts";
import { findingsShown } from "./findings.ts";
import { mendFirst } from "./mend-first.ts";
import { pagesSection, type PagesView } from "./pages-table.ts";
import { scoreCards } from "./scores.ts";
import type { ShownAudit } from "./view.ts";
import { linkTo, outside, runBadge, shortAddress, simulatedBadge, simulatedNote, type AuditPlace } from "./words.ts";
import { count, counted } from "../../../core/shared/counts.ts";

export interface AuditView extends PagesView {
  place: AuditPlace;
  analysis: z.output<typeof getAnalysis.output>;
  audit: ShownAudit;
  website: string;
}

/** Shows the newest run, or the one in the URL. */
export function auditPage(view: AuditView): Html {
  const { analysis, audit, place, website } = view;
  const { run } = audit;
  return html`<div class="audit">
    <p class="crumb"><a href="/audits/${place.organization_id}/${place.workspace_id}">Audits</a></p>
    <div class="item-head">
      <h1>${nameShown(analysis.name)}</h1>
      <span class="badges">${run && runBadge(run.status)} ${run?.is_simulated === true && simulatedBadge}</span>
    </div>
    <p class="lead">
      GEO audit of ${outside(website)}${run && html`, run ${run.number}, begun ${instantShown(run.started_at, "")}`}
    </p>
    ${place.run !== undefined && html`<p><a href="${linkTo({ ...place, run: undefined })}">Newest run that has ended</a></p>`}
    ${remarksShown(audit)} ${progressShown(audit, place)} ${run === null ? emptyShown(view) : runShown(view)}
  </div>`;
}

/** Caveats about the metrics; progress until the first run completes. */
function remarksShown({ remarks, pages, run }: ShownAudit): Html | undefined {
  if (pages) return html`${remarks.map((remark) => html`<p class="caution">${remark}</p>`)}`;
  return run?.is_simulated === true ? simulatedNote : undefined;
}

function progressShown({ under_way: now }: ShownAudit, place: AuditPlace): Html | undefined {
  if (!now) return undefined;
  const done = now.succeeded + now.failed;
  const left = now.failed === 0 ? "" : `, ${count(now.failed)} of them skipped`;
  return html`<section aria-labelledby="progress">
    <h2 id="progress">Run ${now.number} is ${now.status === "queued" ? "waiting to begin" : "under way"}</h2>
    <progress max="${now.planned}" value="${done}" aria-labelledby="progress"></progress>
    <p>
      ${count(done)} of ${counted(now.planned, "page")} done${left}. <a href="${linkTo(place)}">Reload</a>
      ${place.run !== now.collect_id && html`· <a href="${linkTo({ ...place, run: now.collect_id })}">Pages so far</a>`}
    </p>
  </section>`;
}

function emptyShown({ audit, analysis }: AuditView): Html | undefined {
  if (audit.under_way) return undefined;
  const why: Partial<Record<typeof analysis.status, string>> = {
    launching: "Its pages are being stored. The first run begins in a moment: reload the page.",
    failed: `The audit failed. ${analysis.status_reason ?? ""}`,
    paused: `The audit is paused. ${analysis.status_reason ?? ""}`,
    archived: "The audit was archived before a run ended.",
  };
  return html`<div class="empty">
    <p>No run has ended yet. ${why[analysis.status] ?? "Figures appear here when the first one does."}</p>
  </div>`;
}

function runShown(view: AuditView): Html {
  const { audit, place } = view;
  if (!audit.pages) {
    return html`<p class="lead">
        This run has not ended. Scores follow when it does; its pages are below as they come.
      </p>
      ${pagesSection(view)}`;
  }
  return html`<section aria-labelledby="scores">
      <h2 id="scores">Scores</h2>
      ${scoreCards(audit.scores, audit.previous)} ${countsShown(audit.pages, place)} ${skippedShown(audit)}
    </section>
    ${mendFirst(audit, place)} ${changesSection(view)} ${worstSection(view)}
    <section aria-labelledby="site">
      <h2 id="site">The site as a whole</h2>
      ${findingsShown(audit.site_checks, "site")}
    </section>
    ${checksSection(view)} ${pagesSection(view)}`;
}

/** Counts pages by their worst check, with links to these pages. */
function countsShown(pages: NonNullable<ShownAudit["pages"]>, place: AuditPlace): Html {
  const link = (outcome: string, many: number) =>
    many === 0 ? "0" : html`<a href="${linkTo(place, { query: { outcome } })}#pages">${count(many)}</a>`;
  return html`<dl class="meta">
    ${fact("Pages checked", count(pages.audited))} ${fact("With a failed check", link("fail", pages.fail))}
    ${fact("With warnings only", link("warn", pages.warn))} ${fact("Without either", link("pass", pages.pass))}
    ${fact("Skipped", link("skipped", pages.skipped))}
  </dl>`;
}

function skippedShown({ pages, skipped_reasons: reasons }: ShownAudit): Html | undefined {
  if (reasons.length === 0) return undefined;
  return html`<div>
    ${pages?.audited === 0 && html`<p class="caution">No page could be checked, so there are no scores.</p>`}
    <h3>Why pages were skipped</h3>
    <ul class="plain">
      ${reasons.map(({ reason, pages: many }) => html`<li>${counted(many, "page")}: ${reason}</li>`)}
    </ul>
    <p class="hint">A skipped page costs nothing and counts in no score.</p>
  </div>`;
}

/** Max worst pages shown above the list, and failed checks of each. */
const WORST = 5;
const FAULTS = 4;

function worstSection({ audit, place, website }: AuditView): Html | undefined {
  const titles = new Map(audit.checks.map(({ check, title }) => [check, title]));
  const worst = audit.worst_pages.filter(({ failed }) => failed.length > 0).slice(0, WORST);
  if (worst.length === 0) return undefined;
  return html`<section aria-labelledby="worst">
    <h2 id="worst">Worst pages</h2>
    <ul class="cards">
      ${worst.map(
        (page) =>
          html`<li class="item">
            <div class="item-head">
              <h3>
                <a href="${linkTo(place, { page: page.page_id })}">${outside(shortAddress(page.url, website))}</a>
              </h3>
              <span class="badge">${page.score === null ? "no score" : `${page.score} of 100`}</span>
            </div>
            <ul class="plain">
              ${page.failed.slice(0, FAULTS).map((check) => html`<li>Failed: ${titles.get(check) ?? check}</li>`)}
              ${page.failed.length > FAULTS && html`<li>and ${page.failed.length - FAULTS} more</li>`}
            </ul>
          </li>`,
      )}
    </ul>
  </section>`;
}
