import type { z } from "zod";
import { checkOf } from "../../../core/audits/checks.ts";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import type { getAuditPage } from "../../../tools/audits/get-audit-page.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { nameShown, sentenceShown } from "../shared/figures.ts";
import { alertBox, instantShown } from "../../http/pages/page.ts";
import { fact } from "../actions/actions-page.ts";
import { findingsShown } from "./findings.ts";
import { scoreCards } from "./scores.ts";
import {
  COUNTED,
  linkTo,
  OUTCOME_NAMES,
  outcomeBadge,
  outside,
  shortAddress,
  simulatedBadge,
  simulatedNote,
  typeShown,
  type AuditPlace,
} from "./words.ts";

type ShownPage = z.output<typeof getAuditPage.output>;

export function auditedPage(view: {
  place: AuditPlace;
  audit: { name: string; website: string };
  page: ShownPage;
  mayWrite: boolean;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { place, audit, page } = view;
  return html`<p class="crumb"><a href="${linkTo(place)}">${nameShown(audit.name)}</a></p>
    <div class="item-head">
      <h1 class="of-page">${outside(shortAddress(page.url, audit.website))}</h1>
      <span class="badges">${outcomeBadge(page.outcome)} ${page.run.is_simulated && simulatedBadge}</span>
    </div>
    <p class="lead">${addressShown(page)}, run ${page.run.number}, fetched ${instantShown(page.fetched_at, "")}</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${page.run.is_simulated && simulatedNote}
    ${page.skipped_reason !== null && html`<p class="caution">This page was not checked. ${page.skipped_reason}</p>`}
    ${factsOf(page)}
    ${
      page.outcome !== "skipped" &&
      html`<section aria-labelledby="scores">
        <h2 id="scores">Scores</h2>
        ${scoreCards(page.scores)}
      </section>`
    }
    ${changesOf(page, place)} ${view.mayWrite && typeForm(view)}
    ${
      page.checks.length > 0 &&
      html`<section aria-labelledby="checks">
        <h2 id="checks">Checks</h2>
        <p class="hint">${COUNTED.map((one) => `${OUTCOME_NAMES[one]}: ${page.counts[one]}`).join(" · ")}</p>
        ${findingsShown(page.checks, "page")}
      </section>`
    }`;
}

/** Simulated pages are not linked. */
function addressShown({ url, run }: ShownPage): Html {
  if (run.is_simulated || !/^https?:/.test(url)) return outside(url);
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${outside(url)}</a>`;
}

function factsOf(page: ShownPage): Html {
  const { title, answer } = page;
  return html`<dl class="meta">
    ${title !== null && fact("Title on the page", html`“${sentenceShown(title)}”`)}
    ${fact("Type", typeShown(page) ?? "not known")}
    ${page.score !== null && fact("Score, mean of three", `${page.score} of 100`)}
    ${
      answer &&
      html`${fact("HTTP status", String(answer.status))}
      ${answer.redirects.length > 0 && fact("Redirected to", outside(answer.final_url))}
      ${fact("First byte after", `${answer.response_ms} ms`)}
      ${fact("Size", `${(answer.bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 1 })} kB`)}`
    }
  </dl>`;
}

function changesOf({ changes }: ShownPage, place: AuditPlace): Html | undefined {
  if (changes.length === 0) return undefined;
  return html`<section aria-labelledby="changes">
    <h2 id="changes">Since the run before</h2>
    <ul class="plain">
      ${changes.map(
        ({ check, was, is }) =>
          html`<li>
            <a href="${linkTo(place, { query: { check, outcome: is } })}#pages">${checkOf(check)?.title ?? check}</a>.
            Before: ${OUTCOME_NAMES[was]}; now: ${OUTCOME_NAMES[is]}.
          </li>`,
      )}
    </ul>
  </section>`;
}

function typeForm({ place, page }: { place: AuditPlace; page: ShownPage }): Html {
  const { type, type_corrected: corrected } = page;
  const action = `${linkTo({ ...place, run: undefined }, { page: page.id })}/type`;
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
