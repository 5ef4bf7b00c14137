import { findCheck } from "../../../core/audits/checks.ts";
import { html, type Html } from "../../http/pages/html.ts";
import type { ShownAudit } from "./view.ts";
import { AREA_NAMES, auditLink, type AuditLocation } from "./labels.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

const MAX_CHECKS_TO_FIX_FIRST = 5;

type CheckCounts = ShownAudit["checks"][number];

export function renderFixFirstSection({ checks, previous }: ShownAudit, audit: AuditLocation): Html {
  const wrong = checks.filter(({ fail, warn, weight }) => fail + warn > 0 && (weight ?? 0) > 0);
  return html`<section class="panel" aria-labelledby="first">
    <div class="panel-head">
      <h2 id="first">Fix first</h2>
      <p class="hint">
        The checks that lower the scores most, by weight and number of failing pages.
        ${wrong.length > MAX_CHECKS_TO_FIX_FIRST && html`<a href="#checks">All ${wrong.length} with a failure or warning</a>`}
      </p>
    </div>
    ${
      wrong.length === 0
        ? html`<p class="lead">No check of a page failed, and none has a warning.</p>`
        : html`<ol class="mend">
            ${wrong.slice(0, MAX_CHECKS_TO_FIX_FIRST).map((one) => renderFixItem(one, previous !== null, audit))}
          </ol>`
    }
  </section>`;
}

function renderFixItem(one: CheckCounts, isCompared: boolean, audit: AuditLocation): Html {
  const { check, title, area, weight, fail, warn } = one;
  const declaration = findCheck(check);
  const pages = (outcome: "fail" | "warn", count: number, words: string) =>
    count > 0 &&
    html`<a href="${auditLink(audit, { query: { check, outcome } })}#pages"
      >${words} ${formatCount(count, "page")}<span class="unseen">: ${title}</span></a
    >`;
  return html`<li>
    <h3>${title}</h3>
    <p>
      ${pages("fail", fail, "Fails on")}${fail > 0 && warn > 0 && ", "}${pages("warn", warn, fail > 0 ? "a warning on" : "Has a warning on")}
      <span class="hint">· weight ${weight ?? 0} of 5 in ${area !== null && AREA_NAMES[area].name.toLowerCase()}</span>
      ${isCompared && html`<span class="hint">· ${describeChange(one)}</span>`}
    </p>
    ${declaration && html`<p class="hint">${declaration.howToFix}</p>`}
  </li>`;
}

function describeChange({ fixed, broken }: CheckCounts): string {
  const parts = [
    ...(fixed ? [`fixed on ${formatCount(fixed, "page")}`] : []),
    ...(broken ? [`broken on ${formatCount(broken, "page")}`] : []),
  ];
  return parts.length === 0 ? "as in the previous run" : parts.join(", ");
}
