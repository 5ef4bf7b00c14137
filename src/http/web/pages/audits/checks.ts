import type { CheckOutcome } from "../../../../../core/audit/check.ts";
import { counted } from "../../../../../tools/quotes/presentation.ts";
import { html, type Html } from "../../html.ts";
import { scrollTable } from "../../table.ts";
import type { ShownAudit } from "./audit.ts";
import { AREA_NAMES, COUNTED, fileLink, linkTo, OUTCOME_NAMES, type AuditPlace } from "./words.ts";

/** So many stand open; the others of them are folded away. */
const SHOWN = 10;

type Counts = ShownAudit["checks"][number];

/** Checks of pages by how many pages have which outcome, those first that cost most. Each count leads to its pages. */
export function checksSection({ checks }: ShownAudit, place: AuditPlace): Html | undefined {
  if (checks.length === 0) return undefined;
  const wrong = checks.filter(({ fail, warn }) => fail + warn > 0);
  const others = checks.filter(({ fail, warn }) => fail + warn === 0);
  const [shown, folded] = [wrong.slice(0, SHOWN), wrong.slice(SHOWN)];
  return html`<section aria-labelledby="checks">
    <h2 id="checks">Checks of pages</h2>
    <p class="hint">
      Each number counts pages. The checks that cost the scores most come first.
      <a href="${fileLink(place, "checks")}">Download CSV</a>
    </p>
    ${
      shown.length === 0
        ? html`<p class="lead">No check failed on any page, and none has a warning.</p>`
        : countsTable(shown, "Checks that failed or have a warning", place)
    }
    ${folded.length > 0 && foldedTable(folded, "that cost the scores less", place)}
    ${others.length > 0 && foldedTable(others, "without a failure or warning", place)}
  </section>`;
}

function foldedTable(checks: readonly Counts[], which: string, place: AuditPlace): Html {
  return html`<details>
    <summary>${counted(checks.length, "check")} ${which}</summary>
    ${countsTable(checks, `Checks ${which}`, place)}
  </details>`;
}

function countsTable(checks: readonly Counts[], label: string, place: AuditPlace): Html {
  const outcomes = COUNTED.map((outcome) => ({ number: OUTCOME_NAMES[outcome] }));
  const rows = checks.map((one) => countsRow(one, place));
  return scrollTable({ label, columns: ["Check", "Score, weight", ...outcomes], rows });
}

function countsRow(one: Counts, place: AuditPlace): Html {
  const { check, title } = one;
  const cell = (outcome: CheckOutcome) =>
    html`<td class="number">
      ${
        one[outcome] === 0
          ? "0"
          : html`<a href="${linkTo(place, { query: { check, outcome } })}#pages">${one[outcome]}</a>`
      }
    </td>`;
  return html`<tr>
    <th scope="row">${title}</th>
    <td class="when">${countsIn(one)}</td>
    ${COUNTED.map(cell)}
  </tr>`;
}

function countsIn({ area, weight }: Counts): string {
  if (area === null || weight === null) return "no longer made";
  return `${AREA_NAMES[area].name}, ${weight === 0 ? "reported only" : weight}`;
}

/** Columns of the checks as a file: values as the interface gives them. */
export const CHECK_COLUMNS = [
  "check",
  "title",
  "area",
  "weight",
  "fail",
  "warn",
  "pass",
  "skipped",
  "fixed",
  "broken",
] as const satisfies readonly (keyof Counts)[];
