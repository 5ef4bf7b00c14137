import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { sortableTable } from "../shared/table-sort.ts";
import type { ShownAudit } from "./view.ts";
import type { PagesView } from "./pages-table.ts";
import { auditAddress, auditLink, OUTCOME_NAMES } from "./labels.ts";

export function renderChangesSection({
  audit,
  location,
  query,
}: Pick<PagesView, "audit" | "location" | "query">): Html {
  const { previous } = audit;
  if (!previous) {
    return html`<section aria-labelledby="changes">
      <h2 id="changes">What changed</h2>
      <p class="lead">This is the first run. The next one is compared with it.</p>
    </section>`;
  }
  const moved = audit.checks.filter(({ fixed, broken }) => (fixed ?? 0) + (broken ?? 0) > 0);
  const ofSite = audit.site_checks.filter(({ previous: was }) => was !== null);
  return html`<section aria-labelledby="changes">
    <h2 id="changes">What changed since run ${previous.number}</h2>
    ${
      moved.length + ofSite.length === 0
        ? html`<p class="lead">Every check came out as in run ${previous.number}.</p>`
        : html`${ofSite.length > 0 && renderSiteChanges(ofSite)}
          ${moved.length > 0 && renderPageChanges(moved, { location, query })}`
    }
    <p>
      ${
        moved.length > 0 &&
        html`<a href="${auditLink(location, { query: { sort: "changes" } })}#pages">Pages that changed most</a> ·`
      }
      <a href="${auditLink({ ...location, runId: previous.collect_id })}">Run ${previous.number}</a>
    </p>
  </section>`;
}

function renderSiteChanges(checks: ShownAudit["site_checks"]): Html {
  return html`<ul class="plain">
    ${checks.map(
      ({ title, previous, outcome }) =>
        html`<li>
          The site: ${title}. Before: ${OUTCOME_NAMES[previous ?? outcome]}; now: ${OUTCOME_NAMES[outcome]}.
        </li>`,
    )}
  </ul>`;
}

type CheckCounts = ShownAudit["checks"][number];

const CHANGES_TABLE = sortableTable("changes", {
  check: ["asc", ({ title }: CheckCounts) => title],
  fixed: ["desc", ({ fixed }: CheckCounts) => fixed],
  broken: ["desc", ({ broken }: CheckCounts) => broken],
});

function renderPageChanges(
  checks: readonly CheckCounts[],
  { location, query }: Pick<PagesView, "location" | "query">,
): Html {
  const head = CHANGES_TABLE.headers(auditAddress(location), query);
  return scrollTable({
    label: "Checks that changed",
    className: "sticky",
    columns: [head("check", "Check", "text"), head("fixed", "Pages fixed"), head("broken", "Pages broken")],
    rows: CHANGES_TABLE.sortRows(checks, query).map(
      ({ title, fixed, broken }) =>
        html`<tr>
          <th scope="row">${title}</th>
          <td class="number">${fixed ?? 0}</td>
          <td class="number">${broken ?? 0}</td>
        </tr>`,
    ),
  });
}
