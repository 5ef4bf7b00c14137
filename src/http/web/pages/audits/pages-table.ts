import type { z } from "zod";
import { CHECK_OUTCOMES } from "../../../../../core/audit/check.ts";
import { PAGE_TYPES } from "../../../../../core/audit/page-type.ts";
import type { listAuditPages } from "../../../../../tools/audits/list-audit-pages.ts";
import { counted } from "../../../../../tools/quotes/presentation.ts";
import { html, type Html } from "../../html.ts";
import { scrollTable } from "../../table.ts";
import { alertBox } from "../../page.ts";
import type { ShownAudit } from "./audit.ts";
import {
  AREA_NAMES,
  auditAddress,
  fileLink,
  linkTo,
  OUTCOME_NAMES,
  outcomeBadge,
  outside,
  shortAddress,
  type AuditPlace,
} from "./words.ts";

type ShownPage = z.output<typeof listAuditPages.output>["data"][number];

/** What the list of pages is narrowed and sorted by, as the page's query and the endpoint name it. */
export const PAGE_FILTERS = ["outcome", "check", "type", "min_score", "max_score", "sort"] as const;

export interface PagesView {
  place: AuditPlace;
  audit: ShownAudit;
  website: string;
  query: URLSearchParams;
  pages: z.output<typeof listAuditPages.output>;
  /** What is wrong with the filters. */
  problem?: string | undefined;
}

/** The pages of a run, with filters. */
export function pagesSection(view: PagesView): Html {
  const { place, problem } = view;
  return html`<section aria-labelledby="pages">
    <h2 id="pages">Pages</h2>
    ${alertBox(problem)} ${filterForm(view)}
    ${problem === undefined ? listShown(view) : html`<p><a href="${linkTo(place)}#pages">All pages</a></p>`}
  </section>`;
}

function listShown(view: PagesView): Html {
  const { pages, place, query } = view;
  const isFiltered = PAGE_FILTERS.some((key) => key !== "sort" && (query.get(key) ?? "") !== "");
  if (pages.data.length === 0) {
    return html`<div class="empty">
      <p>${isFiltered ? "No page fits these filters." : "No page has been fetched yet."}</p>
      ${isFiltered && html`<p><a href="${linkTo(place)}#pages">All pages</a></p>`}
    </div>`;
  }
  return html`<p class="hint">
      ${counted(pages.total_count, "page")}${isFiltered ? " with these filters" : ""}.
      <a href="${fileLink(place, "pages", filtersOf(query))}">Download CSV</a>
    </p>
    ${table(view)}
    <p class="pager">
      ${query.has("cursor") && html`<a href="${linkTo(place, { query: filtersOf(query) })}#pages">First</a>`}
      ${
        pages.next_cursor !== null &&
        html`<a href="${linkTo(place, { query: { ...filtersOf(query), cursor: pages.next_cursor } })}#pages">Next</a>`
      }
    </p>`;
}

/** The filters that are set. */
export function filtersOf(query: URLSearchParams): Record<string, string> {
  const set = PAGE_FILTERS.map((key) => [key, query.get(key)?.trim() ?? ""] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== ""));
}

const SORTS = [
  ["score", "Worst first"],
  ["-score", "Best first"],
  ["url", "Address"],
  ["changes", "Most changes first"],
] as const;

function filterForm({ place, audit, query }: PagesView): Html {
  const chosen = filtersOf(query);
  const areas = Object.entries(AREA_NAMES).map(([area, { name }]) => {
    return { name, checks: audit.checks.filter((check) => check.area === area) };
  });
  return html`<form method="get" action="${auditAddress(place)}#pages" class="filters">
    ${place.run !== undefined && html`<input type="hidden" name="run" value="${place.run}" />`}
    <label class="field"
      >Outcome
      <select name="outcome">
        <option value="">Any</option>
        ${CHECK_OUTCOMES.map((one) => option(one, OUTCOME_NAMES[one], chosen["outcome"]))}
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
              ${checks.map(({ check, title }) => option(check, title, chosen["check"]))}
            </optgroup>`,
        )}
      </select></label
    >
    <label class="field"
      >Type
      <select name="type">
        <option value="">Any</option>
        ${PAGE_TYPES.map((one) => option(one, one, chosen["type"]))}
      </select></label
    >
    ${scoreField("min_score", "Score from", chosen)} ${scoreField("max_score", "Score to", chosen)}
    <label class="field"
      >Order
      <select name="sort">
        ${SORTS.map(([value, name]) => option(value, name, chosen["sort"] ?? "score"))}
      </select></label
    >
    <button class="secondary">Show</button>
  </form>`;
}

function scoreField(name: string, label: string, chosen: Record<string, string>): Html {
  return html`<label class="field"
    >${label} <input name="${name}" type="number" min="0" max="100" step="1" value="${chosen[name] ?? ""}"
  /></label>`;
}

function option(value: string, shown: string, chosen: string | undefined): Html {
  return html`<option value="${value}" ${value === chosen && html` selected`}>${shown}</option>`;
}

function table(view: PagesView): Html {
  const sorted = (sorts: readonly [Sort, Sort?], words: string) => sortLink(view, sorts, words);
  return scrollTable({
    label: "List of pages",
    columns: [
      { text: sorted(["url"], "Page"), sorted: sortedBy(view, "url") ? ("asc" as const) : undefined },
      "Type",
      "Outcome",
      {
        number: sorted(["score", "-score"], "Score"),
        sorted: sortedBy(view, "score") ? "asc" : sortedBy(view, "-score") ? "desc" : undefined,
      },
      ...Object.values(AREA_NAMES).map(({ name }) => ({ number: name })),
      { number: "Failed" },
      { number: "Warnings" },
      ...(view.audit.previous
        ? [
            {
              number: sorted(["changes"], "Changed"),
              sorted: sortedBy(view, "changes") ? ("desc" as const) : undefined,
            },
          ]
        : []),
    ],
    rows: view.pages.data.map((page) => pageRow(page, view)),
  });
}

type Sort = (typeof SORTS)[number][0];

function sortedBy({ query }: PagesView, sort: Sort): boolean {
  return (filtersOf(query)["sort"] ?? "score") === sort;
}

/** A head that sorts by its column, and the other way where it does already. */
function sortLink(view: PagesView, [first, second = first]: readonly [Sort, Sort?], words: string): Html {
  const isFirst = sortedBy(view, first);
  const query = { ...filtersOf(view.query), sort: isFirst ? second : first };
  return html`<a href="${linkTo(view.place, { query })}#pages">${words}</a>`;
}

/** Columns of the list as a file: values as the interface gives them. */
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

function number(value: number | null): Html {
  return html`<td class="number">${value ?? html`<span class="faint">–</span>`}</td>`;
}

function pageRow(page: ShownPage, { place, website, audit }: PagesView): Html {
  const { title, outcome, skipped_reason: reason } = page;
  return html`<tr>
    <th scope="row">
      <a href="${linkTo(place, { page: page.id })}">${outside(shortAddress(page.url, website))}</a>
      ${title !== null && html`<small>“${outside(title)}”</small>`}
    </th>
    <td>${page.type_corrected ?? page.type ?? ""}${page.type_corrected !== null && html`<small>corrected</small>`}</td>
    <td>${outcomeBadge(outcome)}${reason !== null && html`<small>${reason}</small>`}</td>
    ${number(page.score)} ${number(page.crawlability)} ${number(page.semantic)} ${number(page.content)}
    ${number(page.failed.length)} ${number(page.warned.length)} ${audit.previous && number(page.changes.length)}
  </tr>`;
}
