import type { z } from "zod";
import { findCheck } from "../../../core/audits/checks.ts";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import type { getAuditPage } from "../../../tools/audits/get-audit-page.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { renderName, renderSentence } from "../shared/format-metrics.ts";
import { alertBox, renderInstant } from "../../http/pages/page.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { renderFindings } from "./findings.ts";
import { renderScoreCards } from "./scores.ts";
import {
  OUTCOME_ORDER,
  auditLink,
  OUTCOME_NAMES,
  outcomeBadge,
  renderUntrustedText,
  shortenUrl,
  simulatedBadge,
  simulatedNote,
  formatPageType,
  type AuditLocation,
} from "./labels.ts";

type ShownPage = z.output<typeof getAuditPage.output>;

export function renderAuditedPage(view: {
  location: AuditLocation;
  audit: { name: string; website: string };
  page: ShownPage;
  canEdit: boolean;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { location, audit, page } = view;
  return html`<p class="crumb"><a href="${auditLink(location)}">${renderName(audit.name)}</a></p>
    <div class="item-head">
      <h1 class="of-page">${renderUntrustedText(shortenUrl(page.url, audit.website))}</h1>
      <span class="badges">${outcomeBadge(page.outcome)} ${page.run.is_simulated && simulatedBadge}</span>
    </div>
    <p class="lead">${renderAddress(page)}, run ${page.run.number}, fetched ${renderInstant(page.fetched_at, "")}</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${page.run.is_simulated && simulatedNote}
    ${page.skipped_reason !== null && html`<p class="caution">This page was not checked. ${page.skipped_reason}</p>`}
    ${renderPageDetails(page)}
    ${
      page.outcome !== "skipped" &&
      html`<section aria-labelledby="scores">
        <h2 id="scores">Scores</h2>
        ${renderScoreCards(page.scores)}
      </section>`
    }
    ${renderChangedChecks(page, location)} ${view.canEdit && renderTypeForm(view)}
    ${
      page.checks.length > 0 &&
      html`<section aria-labelledby="checks">
        <h2 id="checks">Checks</h2>
        <p class="hint">${OUTCOME_ORDER.map((one) => `${OUTCOME_NAMES[one]}: ${page.counts[one]}`).join(" · ")}</p>
        ${renderFindings(page.checks, "page")}
      </section>`
    }`;
}

function renderAddress({ url, run }: ShownPage): Html {
  if (run.is_simulated || !/^https?:/.test(url)) return renderUntrustedText(url);
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${renderUntrustedText(url)}</a>`;
}

function renderPageDetails(page: ShownPage): Html {
  const { title, answer } = page;
  return html`<dl class="meta">
    ${title !== null && definitionItem("Title on the page", html`“${renderSentence(title)}”`)}
    ${definitionItem("Type", formatPageType(page) ?? "not known")}
    ${page.score !== null && definitionItem("Score, mean of three", `${page.score} of 100`)}
    ${
      answer &&
      html`${definitionItem("HTTP status", String(answer.status))}
      ${answer.redirects.length > 0 && definitionItem("Redirected to", renderUntrustedText(answer.final_url))}
      ${definitionItem("First byte after", `${answer.response_ms} ms`)}
      ${definitionItem("Size", `${(answer.bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 1 })} kB`)}`
    }
  </dl>`;
}

function renderChangedChecks({ changes }: ShownPage, audit: AuditLocation): Html | undefined {
  if (changes.length === 0) return undefined;
  return html`<section aria-labelledby="changes">
    <h2 id="changes">Since the run before</h2>
    <ul class="plain">
      ${changes.map(
        ({ check, was, is }) =>
          html`<li>
            <a href="${auditLink(audit, { query: { check, outcome: is } })}#pages"
              >${findCheck(check)?.title ?? check}</a
            >. Before: ${OUTCOME_NAMES[was]}; now: ${OUTCOME_NAMES[is]}.
          </li>`,
      )}
    </ul>
  </section>`;
}

function renderTypeForm({ location, page }: { location: AuditLocation; page: ShownPage }): Html {
  const { type, type_corrected: corrected } = page;
  const action = `${auditLink({ ...location, runId: undefined }, { page: page.id })}/type`;
  return html`<section aria-labelledby="type">
    <h2 id="type">What this page is</h2>
    ${postForm(
      { action, className: "line narrow", values: { page_type: corrected ?? "" } },
      (fields) =>
        html`<label class="field"
            >Type
            <select name="page_type" aria-describedby="type-hint">
              <option ${fields.option("page_type", "")}>
                As detected${type !== null && corrected === null && `: ${type}`}
              </option>
              ${PAGE_TYPES.map((one) => html`<option ${fields.option("page_type", one)}>${one}</option>`)}
            </select></label
          >
          <button class="secondary">Save</button>`,
    )}
    <p class="hint" id="type-hint">
      Some checks depend on the type. A correction is kept over runs; checks and scores follow with the next run.
    </p>
  </section>`;
}
