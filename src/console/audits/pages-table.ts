import type { z } from "zod";
import { AUDIT_AREAS, CHECK_OUTCOMES } from "../../../core/audits/check.ts";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import type { listAuditPages } from "../../../tools/audits/list-audit-pages.ts";
import { PAGE_SORTS } from "../../../tools/audits/select-pages.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderSentence } from "../shared/format-metrics.ts";
import { alertBox } from "../../http/pages/page.ts";
import { renderHiddenSortFields, sortableHeaders } from "../shared/table-sort.ts";
import { updateQuery } from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import type { ShownAudit } from "./view.ts";
import {
  AREA_NAMES,
  auditAddress,
  auditLink,
  OUTCOME_NAMES,
  outcomeBadge,
  renderUntrustedText,
  shortenUrl,
  type AuditLocation,
} from "./labels.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

type ShownPage = z.output<typeof listAuditPages.output>["data"][number];

/** Named as in the page's query and the endpoint. */
const PAGE_FILTERS = ["outcome", "check", "type", "min_score", "max_score"] as const;

export interface PagesView {
  location: AuditLocation;
  audit: ShownAudit;
  website: string;
  query: URLSearchParams;
  pages: z.output<typeof listAuditPages.output>;
  problem?: string | undefined;
}

export function renderPagesSection(view: PagesView): Html {
  const { location, problem, pages, query, audit } = view;
  const isFiltered = Object.keys(readPageFilters(query)).length > 0;
  const all = pages.total_count;
  if (problem !== undefined) {
    return html`<section aria-labelledby="pages">
      <h2 id="pages">Pages</h2>
      ${alertBox(problem)} ${filterForm(view)}
      <p><a href="${auditLink(location)}#pages">All pages</a></p>
    </section>`;
  }
  return html`${filterForm(view)}
  ${tablePanel({
    id: "pages",
    title: formatCount(all, "page"),
    hint: isFiltered ? "With these filters. Scores are 0 to 100." : "Scores are 0 to 100.",
    csv: { href: `${auditAddress(location)}/pages.csv${updateQuery(query, { cursor: undefined })}`, rowCount: all },
    table: pages.data.length === 0 ? undefined : renderPageTable(view),
    empty: html`<div class="empty">
      <p>${isFiltered ? "No page fits these filters." : "No page has been fetched yet."}</p>
      ${isFiltered && html`<p><a href="${auditLink(location)}#pages">All pages</a></p>`}
    </div>`,
    pager: renderPager(view),
    note: html`<p class="hint">${formatCount(all, "page")}${describeOmitted(audit, all, isFiltered)}</p>`,
  })}`;
}

/** Pages that could not be fetched are listed without a score. */
function describeOmitted({ pages }: ShownAudit, shown: number, isFiltered: boolean): string {
  if (!pages) return "";
  const others = pages.audited + pages.skipped - shown;
  if (isFiltered && others > 0) return ` · ${others} hidden by the filters`;
  return pages.skipped > 0 ? ` · ${pages.skipped} skipped, without a score` : "";
}

function renderPager({ pages: { next_cursor: next }, location, query }: PagesView): Html | undefined {
  if (!query.has("cursor") && next === null) return undefined;
  const to = (cursor: string | undefined) => `${auditAddress(location)}${updateQuery(query, { cursor })}#pages`;
  return html`<p class="pager">
    ${query.has("cursor") && html`<a href="${to(undefined)}">First</a>`}
    ${next !== null && html`<a href="${to(next)}">Next</a>`}
  </p>`;
}

export function readPageFilters(query: URLSearchParams): Record<string, string> {
  const set = PAGE_FILTERS.map((key) => [key, query.get(key)?.trim() ?? ""] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== ""));
}

function filterForm({ location, audit, query }: PagesView): Html {
  const chosen = readPageFilters(query);
  const areas = Object.entries(AREA_NAMES).map(([area, { name }]) => {
    return { name, checks: audit.checks.filter((check) => check.area === area) };
  });
  return html`<form method="get" action="${auditAddress(location)}#pages" class="filters">
    ${location.runId !== undefined && html`<input type="hidden" name="run" value="${location.runId}" />`}
    <label class="field"
      >Outcome
      <select name="outcome">
        <option value="">Any</option>
        ${CHECK_OUTCOMES.map((one) => renderOption(one, OUTCOME_NAMES[one], chosen["outcome"]))}
      </select></label
    >
    <label class="field"
      >Check
      <select name="check">
        <option value="">Any</option>
        ${areas.map(
          ({ name, checks }) =>
            checks.length > 0 &&
            html`<optgroup label="${name}">
              ${checks.map(({ check, title }) => renderOption(check, title, chosen["check"]))}
            </optgroup>`,
        )}
      </select></label
    >
    <label class="field"
      >Type
      <select name="type">
        <option value="">Any</option>
        ${PAGE_TYPES.map((one) => renderOption(one, one, chosen["type"]))}
      </select></label
    >
    ${renderScoreField("min_score", "Score from", chosen)} ${renderScoreField("max_score", "Score to", chosen)}
    ${renderHiddenSortFields(query)}
    <button class="secondary">Apply</button>
  </form>`;
}

function renderScoreField(name: string, label: string, chosen: Record<string, string>): Html {
  return html`<label class="field"
    >${label} <input name="${name}" type="number" min="0" max="100" step="1" value="${chosen[name] ?? ""}"
  /></label>`;
}

function renderOption(value: string, shown: string, chosen: string | undefined): Html {
  return html`<option value="${value}" ${value === chosen && html` selected`}>${shown}</option>`;
}

const DEFAULT_ORDER = { sort: "score", direction: "asc" } as const;

function renderPageTable({ location, query, audit, pages, website }: PagesView): Html {
  const head = sortableHeaders({
    path: auditAddress(location),
    query,
    id: "pages",
    sorts: PAGE_SORTS,
    usual: DEFAULT_ORDER,
  });
  return scrollTable({
    label: "List of pages",
    className: "sticky fitted",
    columns: [
      head("url", "Page", "text"),
      head("type", "Type", "text"),
      head("outcome", "Outcome", "text"),
      head("score", "Score"),
      ...AUDIT_AREAS.map((area) => head(area, AREA_NAMES[area].name)),
      head("failed", "Failed checks"),
      head("warned", "Warnings"),
      ...(audit.previous ? [head("changes", "Changed checks")] : []),
    ],
    rows: pages.data.map((page) => renderPageRow(page, { location, website, audit })),
  });
}

export const PAGE_COLUMNS = [
  "url",
  "title",
  "type",
  "type_corrected",
  "outcome",
  "score",
  "crawlability",
  "semantic",
  "content",
  "failed",
  "warned",
  "skipped_reason",
] as const satisfies readonly (keyof ShownPage)[];

function renderNumberCell(value: number | null): Html {
  return html`<td class="number">${value ?? html`<span class="faint">–</span>`}</td>`;
}

function renderPageRow(
  page: ShownPage,
  { location, website, audit }: Pick<PagesView, "location" | "website" | "audit">,
) {
  const { title, outcome, skipped_reason: reason } = page;
  return html`<tr>
    <th scope="row">
      <a href="${auditLink(location, { page: page.id })}">${renderUntrustedText(shortenUrl(page.url, website))}</a>
      ${title !== null && html`<small>“${renderSentence(title)}”</small>`}
    </th>
    <td>${page.type_corrected ?? page.type ?? ""}${page.type_corrected !== null && html`<small>corrected</small>`}</td>
    <td>${outcomeBadge(outcome)}${reason !== null && html`<small>${reason}</small>`}</td>
    ${renderNumberCell(page.score)} ${renderNumberCell(page.crawlability)} ${renderNumberCell(page.semantic)}
    ${renderNumberCell(page.content)} ${renderNumberCell(page.failed.length)} ${renderNumberCell(page.warned.length)}
    ${audit.previous && renderNumberCell(page.changes.length)}
  </tr>`;
}
