import type { CheckOutcome } from "../../../core/audits/check.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { wholeTable } from "../shared/order.ts";
import { queryWith } from "../shared/places.ts";
import { tablePanel } from "../shared/table-panel.ts";
import type { ShownAudit } from "./view.ts";
import type { PagesView } from "./pages-table.ts";
import { AREA_NAMES, auditAddress, COUNTED, linkTo, OUTCOME_NAMES, type AuditPlace } from "./words.ts";
import { counted } from "../../../core/shared/counts.ts";

/** Max checks shown expanded. */
const SHOWN = 10;

type Counts = ShownAudit["checks"][number];
type ChecksView = Pick<PagesView, "audit" | "place" | "query">;

export const CHECKS_TABLE = wholeTable("checks", {
  check: ["asc", ({ title }: Counts) => title],
  area: ["asc", ({ area }: Counts) => area && AREA_NAMES[area].name],
  weight: ["desc", ({ weight }: Counts) => weight],
  fail: ["desc", ({ fail }: Counts) => fail],
  warn: ["desc", ({ warn }: Counts) => warn],
  pass: ["desc", ({ pass }: Counts) => pass],
  skipped: ["desc", ({ skipped }: Counts) => skipped],
});

/**
 * Page checks by outcome counts, with links to the pages. By default the most costly checks come
 * first and the others are collapsed.
 */
export function checksSection(view: ChecksView): Html | undefined {
  const { audit, place, query } = view;
  const { checks, pages } = audit;
  if (checks.length === 0) return undefined;
  return tablePanel({
    id: "checks",
    title: "Checks of pages",
    hint: "Each number counts pages. The checks that cost the scores most come first.",
    csv: { href: `${auditAddress(place)}/checks.csv${queryWith(query, { cursor: undefined })}`, rows: checks.length },
    table: CHECKS_TABLE.isSorted(query)
      ? countsTable(CHECKS_TABLE.inOrder(checks, query), "Checks of pages", view)
      : byCost(view),
    note: html`<p class="hint">
      n = ${counted(pages?.audited ?? 0, "page")} and
      ${counted(checks.length, "check")}${pages !== null && pages.skipped > 0 && ` · ${counted(pages.skipped, "page")} skipped, which no check counts`}
    </p>`,
  });
}

function byCost(view: ChecksView): Html {
  const { checks } = view.audit;
  const wrong = checks.filter(({ fail, warn }) => fail + warn > 0);
  const others = checks.filter(({ fail, warn }) => fail + warn === 0);
  const [shown, folded] = [wrong.slice(0, SHOWN), wrong.slice(SHOWN)];
  return html`${
    shown.length === 0
      ? html`<p class="lead">No check failed on any page, and none has a warning.</p>`
      : countsTable(shown, "Checks that failed or have a warning", view)
  }
  ${folded.length > 0 && foldedTable(folded, "that cost the scores less", view)}
  ${others.length > 0 && foldedTable(others, "without a failure or warning", view)}`;
}

function foldedTable(checks: readonly Counts[], which: string, view: ChecksView): Html {
  return html`<details>
    <summary>${counted(checks.length, "check")} ${which}</summary>
    ${countsTable(checks, `Checks ${which}`, view)}
  </details>`;
}

function countsTable(checks: readonly Counts[], label: string, { place, query }: ChecksView): Html {
  const head = CHECKS_TABLE.heads(auditAddress(place), query);
  return scrollTable({
    label,
    className: "sticky",
    columns: [
      head("check", "Check", "text"),
      head("area", "Score", "text"),
      head("weight", "Weight, 0 to 5"),
      ...COUNTED.map((outcome) => head(outcome, OUTCOME_NAMES[outcome])),
    ],
    rows: checks.map((one) => countsRow(one, place)),
  });
}

function countsRow(one: Counts, place: AuditPlace): Html {
  const { check, title, area, weight } = one;
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
    <td>${area === null ? "no longer made" : AREA_NAMES[area].name}</td>
    <td class="number">
      ${weight ?? html`<span class="faint">–</span>`}${weight === 0 && html`<small>reported only</small>`}
    </td>
    ${COUNTED.map(cell)}
  </tr>`;
}

/** Values as in the API response. */
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
