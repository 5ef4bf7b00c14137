import { checkOf } from "../../../core/audits/checks.ts";
import { html, type Html } from "../../http/pages/html.ts";
import type { ShownAudit } from "./view.ts";
import { AREA_NAMES, linkTo, type AuditPlace } from "./words.ts";
import { counted } from "../../../core/shared/counts.ts";

/** Max checks in the summary. */
const FIRST = 5;

type Check = ShownAudit["checks"][number];

/** Checks that cost most score, by weight and number of failing pages. */
export function mendFirst({ checks, previous }: ShownAudit, place: AuditPlace): Html {
  const wrong = checks.filter(({ fail, warn, weight }) => fail + warn > 0 && (weight ?? 0) > 0);
  return html`<section class="panel" aria-labelledby="first">
    <div class="panel-head">
      <h2 id="first">What to mend first</h2>
      <p class="hint">
        What costs the scores most: the weight of a check and the pages that it fails on.
        ${wrong.length > FIRST && html`<a href="#checks">All ${wrong.length} with a failure or warning</a>`}
      </p>
    </div>
    ${
      wrong.length === 0
        ? html`<p class="lead">No check of a page failed, and none has a warning.</p>`
        : html`<ol class="mend">
            ${wrong.slice(0, FIRST).map((one) => mend(one, previous !== null, place))}
          </ol>`
    }
  </section>`;
}

function mend(one: Check, isCompared: boolean, place: AuditPlace): Html {
  const { check, title, area, weight, fail, warn } = one;
  const found = checkOf(check);
  const pages = (outcome: "fail" | "warn", count: number, words: string) =>
    count > 0 &&
    html`<a href="${linkTo(place, { query: { check, outcome } })}#pages"
      >${words} ${counted(count, "page")}<span class="unseen">: ${title}</span></a
    >`;
  return html`<li>
    <h3>${title}</h3>
    <p>
      ${pages("fail", fail, "Fails on")}${fail > 0 && warn > 0 && ", "}${pages("warn", warn, fail > 0 ? "a warning on" : "Has a warning on")}
      <span class="hint">· weight ${weight ?? 0} of 5 in ${area !== null && AREA_NAMES[area].name.toLowerCase()}</span>
      ${isCompared && html`<span class="hint">· ${changeOf(one)}</span>`}
    </p>
    ${found && html`<p class="hint">${found.howToFix}</p>`}
  </li>`;
}

/** Compared with the previous run. */
function changeOf({ fixed, broken }: Check): string {
  const parts = [
    ...(fixed ? [`fixed on ${counted(fixed, "page")}`] : []),
    ...(broken ? [`broken on ${counted(broken, "page")}`] : []),
  ];
  return parts.length === 0 ? "as in the run before" : parts.join(", ");
}
