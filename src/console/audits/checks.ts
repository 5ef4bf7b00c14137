import type { CheckOutcome } from "../../../core/audits/check.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { sortableTable } from "../shared/table-sort.ts";
import { updateQuery } from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import type { ShownAudit } from "./view.ts";
import type { PagesView } from "./pages-table.ts";
import { AREA_NAMES, auditAddress, OUTCOME_ORDER, auditLink, OUTCOME_NAMES, type AuditLocation } from "./labels.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

const MAX_OPEN_CHECKS = 10;

type CheckCounts = ShownAudit["checks"][number];
type ChecksView = Pick<PagesView, "audit" | "location" | "query">;

export const CHECKS_TABLE = sortableTable("checks", {
  check: ["asc", ({ title }: CheckCounts) => title],
  area: ["asc", ({ area }: CheckCounts) => area && AREA_NAMES[area].name],
  weight: ["desc", ({ weight }: CheckCounts) => weight],
  fail: ["desc", ({ fail }: CheckCounts) => fail],
  warn: ["desc", ({ warn }: CheckCounts) => warn],
  pass: ["desc", ({ pass }: CheckCounts) => pass],
  skipped: ["desc", ({ skipped }: CheckCounts) => skipped],
});

/** By default, expands the checks that cost the scores most. */
export function renderChecksSection(view: ChecksView): Html | undefined {
  const { audit, location, query } = view;
  const { checks, pages } = audit;
  if (checks.length === 0) return undefined;
  return tablePanel({
    id: "checks",
    title: "Checks of pages",
    hint: "Each number counts pages. The checks that cost the scores most come first.",
    csv: {
      href: `${auditAddress(location)}/checks.csv${updateQuery(query, { cursor: undefined })}`,
      rowCount: checks.length,
    },
    table: CHECKS_TABLE.isSorted(query)
      ? renderCountsTable(CHECKS_TABLE.sortRows(checks, query), "Checks of pages", view)
      : renderChecksByCost(view),
    note: html`<p class="hint">
      ${formatCount(pages?.audited ?? 0, "page")} and
      ${formatCount(checks.length, "check")}${pages !== null && pages.skipped > 0 && ` · ${formatCount(pages.skipped, "page")} skipped and not counted`}
    </p>`,
  });
}

function renderChecksByCost(view: ChecksView): Html {
  const { checks } = view.audit;
  const wrong = checks.filter(({ fail, warn }) => fail + warn > 0);
  const others = checks.filter(({ fail, warn }) => fail + warn === 0);
  const [shown, folded] = [wrong.slice(0, MAX_OPEN_CHECKS), wrong.slice(MAX_OPEN_CHECKS)];
  return html`${
    shown.length === 0
      ? html`<p class="lead">No check failed on any page, and none has a warning.</p>`
      : renderCountsTable(shown, "Checks that failed or have a warning", view)
  }
  ${folded.length > 0 && renderCollapsedTable(folded, "that cost the scores less", view)}
  ${others.length > 0 && renderCollapsedTable(others, "without a failure or warning", view)}`;
}

function renderCollapsedTable(checks: readonly CheckCounts[], title: string, view: ChecksView): Html {
  return html`<details>
    <summary>${formatCount(checks.length, "check")} ${title}</summary>
    ${renderCountsTable(checks, `Checks ${title}`, view)}
  </details>`;
}

function renderCountsTable(checks: readonly CheckCounts[], label: string, { location, query }: ChecksView): Html {
  const head = CHECKS_TABLE.headers(auditAddress(location), query);
  return scrollTable({
    label,
    className: "sticky",
    columns: [
      head("check", "Check", "text"),
      head("area", "Score", "text"),
      head("weight", "Weight, 0 to 5"),
      ...OUTCOME_ORDER.map((outcome) => head(outcome, OUTCOME_NAMES[outcome])),
    ],
    rows: checks.map((one) => renderCountsRow(one, location)),
  });
}

function renderCountsRow(one: CheckCounts, audit: AuditLocation): Html {
  const { check, title, area, weight } = one;
  const cell = (outcome: CheckOutcome) =>
    html`<td class="number">
      ${
        one[outcome] === 0
          ? "0"
          : html`<a href="${auditLink(audit, { query: { check, outcome } })}#pages">${one[outcome]}</a>`
      }
    </td>`;
  return html`<tr>
    <th scope="row">${title}</th>
    <td>${area === null ? "no longer made" : AREA_NAMES[area].name}</td>
    <td class="number">
      ${weight ?? html`<span class="faint">–</span>`}${weight === 0 && html`<small>reported only</small>`}
    </td>
    ${OUTCOME_ORDER.map(cell)}
  </tr>`;
}

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
] as const satisfies readonly (keyof CheckCounts)[];
