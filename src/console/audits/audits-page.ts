import type { z } from "zod";
import { AUDIT_AREAS } from "../../../core/audits/check.ts";
import type { listAnalyses } from "../../../tools/analyses/list-analyses.ts";
import type { getAudit } from "../../../tools/audits/get-audit.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { renderName } from "../shared/format-metrics.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { cursorPager } from "../shared/filters.ts";
import { sortableHeaders } from "../shared/table-sort.ts";
import { buildAuditsAddress, updateQuery, type WorkspaceIds } from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { AREA_NAMES, auditAddress, runBadge, simulatedBadge } from "./labels.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

export interface ListedAudit {
  analysis: z.output<typeof listAnalyses.output>["data"][number];
  audit: z.output<typeof getAudit.output>;
}

export interface AuditListView {
  ids: WorkspaceIds;
  query: URLSearchParams;
  audits: readonly ListedAudit[];
  nextCursor: string | null;
  /** Address for creating an audit; undefined for visitors without permission. */
  newAuditAddress: string | undefined;
}

export const AUDIT_SORTS = { name: "asc", created_at: "asc" } as const;
const DEFAULT_ORDER = { sort: "created_at", direction: "asc" } as const;

export const AUDIT_COLUMNS: readonly CsvColumn<ListedAudit>[] = [
  ["id", ({ analysis }) => analysis.id],
  ["name", ({ analysis }) => analysis.name],
  ["status", ({ analysis }) => analysis.status],
  ["created_at", ({ analysis }) => analysis.created_at],
  ["run", ({ audit }) => audit.run?.number],
  ["run_status", ({ audit }) => audit.run?.status],
  ["run_started_at", ({ audit }) => audit.run?.started_at],
  ...AUDIT_AREAS.map(
    (area) => [area, ({ audit }: ListedAudit) => audit.scores.find((one) => one.area === area)?.score] as const,
  ),
  ["audited", ({ audit }) => audit.pages?.audited],
  ["skipped", ({ audit }) => audit.pages?.skipped],
  ["pass", ({ audit }) => audit.pages?.pass],
  ["warn", ({ audit }) => audit.pages?.warn],
  ["fail", ({ audit }) => audit.pages?.fail],
];

export function renderAuditListPage(view: AuditListView): Html {
  const { audits, nextCursor, newAuditAddress, ids, query } = view;
  const path = buildAuditsAddress(ids);
  return html`<h1>Audits</h1>
    <p class="lead">How ready a website is to be found, read and quoted by answer engines.</p>
    ${newAuditAddress !== undefined && audits.length > 0 && html`<p><a class="button secondary" href="${newAuditAddress}">New audit</a></p>`}
    ${
      audits.length === 0
        ? renderEmptyState(newAuditAddress)
        : tablePanel({
            id: "listed",
            title: "All audits",
            hint: "Scores of the latest completed run: averages over its pages, 0 to 100.",
            csv: { href: `${path}/audits.csv${updateQuery(query, { cursor: undefined })}`, rowCount: audits.length },
            table: renderAuditTable(view),
            pager: cursorPager(path, query, nextCursor),
            note: html`<p class="hint">
              ${formatCount(audits.length, "audit")}${nextCursor !== null && " on this page; the download has all"} ·
              scores leave out skipped pages
            </p>`,
          })
    }`;
}

function renderEmptyState(start: string | undefined): Html {
  return html`<div class="empty">
    <p>No audit yet. The price is shown before anything is fetched.</p>
    ${
      start === undefined
        ? html`<p>An editor of the workspace sets one up, here or by an assistant: <em>audit our site</em>.</p>`
        : html`<a class="button primary" href="${start}">New audit</a>
            <p>Or ask your assistant to <em>audit our site</em>. <a href="/assistants">Connect an assistant</a></p>`
    }
  </div>`;
}

function renderAuditTable({ audits, ids, query }: AuditListView): Html {
  const areas = AUDIT_AREAS.map((area) => ({ number: AREA_NAMES[area].name }));
  const head = sortableHeaders({
    path: buildAuditsAddress(ids),
    query,
    id: "listed",
    sorts: AUDIT_SORTS,
    usual: DEFAULT_ORDER,
  });
  return scrollTable({
    label: "Audits of this workspace",
    className: "sticky fitted",
    columns: [
      head("name", "Audit", "text"),
      "Newest run",
      ...areas,
      { number: "Pages" },
      { number: "With a failed check" },
      head("created_at", "Created", "text"),
    ],
    rows: audits.map(renderAuditRow),
  });
}

function renderNumberCell(value: number | null | undefined): Html {
  return html`<td class="number">${value ?? html`<span class="faint">–</span>`}</td>`;
}

function renderAuditRow({ analysis, audit: { run, under_way: activeRun, scores, pages } }: ListedAudit): Html {
  const place = { ...analysis, analysis_id: analysis.id };
  return html`<tr>
    <th scope="row"><a href="${auditAddress(place)}">${renderName(analysis.name)}</a></th>
    <td>
      ${run ? html`${runBadge(run.status)} ${run.is_simulated && simulatedBadge}` : !activeRun && html`<span class="faint">none yet</span>`}
      ${run && html`<small>${renderInstant(run.started_at, "", "day")}</small>`}
      ${activeRun && html`<small>run ${activeRun.number}: ${formatInteger(activeRun.succeeded + activeRun.failed)} of ${formatInteger(activeRun.planned)} pages</small>`}
    </td>
    ${AUDIT_AREAS.map((area) => renderNumberCell(scores.find((one) => one.area === area)?.score))}
    ${renderNumberCell(pages?.audited)} ${renderNumberCell(pages?.fail)}
    <td class="when">${analysis.created_at.slice(0, 10)}</td>
  </tr>`;
}
