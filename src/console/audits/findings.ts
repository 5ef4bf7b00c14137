import type { z } from "zod";
import type { CheckOutcome } from "../../../core/audits/check.ts";
import type { AuditFinding } from "../../../tools/audits/audit-check.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { AREA_NAMES, OUTCOME_NAMES, outcomeBadge, renderUntrustedText, STRENGTH_NAMES } from "./labels.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

type Finding = z.output<typeof AuditFinding> & { previous?: CheckOutcome | null };

/** Failures come first and expanded; passed and skipped checks are collapsed. */
export function renderFindings(findings: readonly Finding[], level: "page" | "site"): Html {
  const wrong = findings.filter(isWrong);
  const folded = (["pass", "skipped"] as const).map((outcome) => {
    const matchingFindings = findings.filter((one) => one.outcome === outcome);
    const summary = `${formatCount(matchingFindings.length, "check")} ${outcome === "pass" ? "passed" : "skipped"}`;
    return (
      matchingFindings.length > 0 &&
      html`<details>
        <summary>${summary}</summary>
        <ul class="cards">
          ${matchingFindings.map((one) => renderFindingCard(one, level))}
        </ul>
      </details>`
    );
  });
  return html`${
    wrong.length === 0
      ? html`<p class="lead">No check of the ${level} failed, and none has a warning.</p>`
      : html`<ul class="cards">
          ${wrong.map((one) => renderFindingCard(one, level))}
        </ul>`
  }
  ${folded}`;
}

function isWrong({ outcome }: Finding): boolean {
  return outcome === "fail" || outcome === "warn";
}

function renderFindingCard(finding: Finding, level: "page" | "site"): Html {
  const { title, outcome, message, how_to_fix: fix, source, strength, previous } = finding;
  return html`<li class="item finding">
    <div class="item-head">
      <h3>${title}</h3>
      ${outcomeBadge(outcome)}
      ${previous !== null && previous !== undefined && html`<span class="badge">before: ${OUTCOME_NAMES[previous]}</span>`}
    </div>
    <p>${message}</p>
    ${finding.evidence.map((one) => renderExcerpt(one, level))}
    ${
      fix === null
        ? html`<p class="hint">This check is no longer made, so there is no advice on it.</p>`
        : html`<p><strong>${isWrong(finding) ? "How to fix" : "Advice"}:</strong> ${fix}</p>`
    }
    <dl class="meta">
      ${definitionItem("Counts", describeWeight(finding))}
      ${strength !== null && definitionItem("How well it is known", STRENGTH_NAMES[strength])}
      ${source !== null && definitionItem("Source", html`<a href="${source.url}" rel="noopener noreferrer">${source.name}</a>`)}
    </dl>
  </li>`;
}

export function renderExcerpt({ excerpt, line }: Finding["evidence"][number], where: "page" | "site" | "answers") {
  return html`<figure class="quoted">
    <figcaption>From the ${where}${line === null ? "" : `, line ${line}`}</figcaption>
    <code>${renderUntrustedText(excerpt)}</code>
  </figure>`;
}

function describeWeight({ area, weight }: Finding): string {
  if (area === null || weight === null) return "No longer";
  return weight === 0 ? "Reported only" : `${weight} of 5 in ${AREA_NAMES[area].name.toLowerCase()}`;
}
