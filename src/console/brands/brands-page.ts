import type { z } from "zod";
import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../../core/brands/brand.ts";
import type { getCatalogReading } from "../../../tools/brands/get-catalog-reading.ts";
import type { listBrands } from "../../../tools/brands/list-brands.ts";
import { formIdField } from "../shared/page-with-forms.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { details, postForm } from "../../http/pages/post-form.ts";
import { alertBox } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderName } from "../shared/format-metrics.ts";
import { filterForm, cursorPager, type Choice } from "../shared/filters.ts";
import { sortableHeaders } from "../shared/table-sort.ts";
import { buildBrandAddress, brandsAddress, updateQuery } from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { renderBrandFields, renderBrandNameDatalist, NEW_BRAND, type ShownBrand } from "./brand-form.ts";
import { renderRereadingProgress } from "./rereading-progress.ts";
import { renderSuggestionsSection, type SuggestionsView } from "./suggestions.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

export interface BrandsView extends SuggestionsView {
  brands: z.output<typeof listBrands.output>;
  parentNameById: ReadonlyMap<string, string>;
  reading: z.output<typeof getCatalogReading.output>;
  done?: string | undefined;
  problem?: string | undefined;
}

export const CATALOG_SORTS = { name: "asc", created_at: "desc" } as const;

export const CATALOG_COLUMNS: readonly CsvColumn<ShownBrand>[] = [
  "id",
  "name",
  "relationship",
  "kind",
  "parent_id",
  "domains",
  ["aliases", ({ aliases }) => aliases.map(({ text }) => text)],
  "excluded_phrases",
  "created_at",
  "updated_at",
];

export function showsOnlyArchived(query: URLSearchParams): boolean {
  return query.get("show") === "archived";
}

export function renderBrandsPage(view: BrandsView): Html {
  const { brands, ids, done, problem, canEdit } = view;
  return html`<h1>Brands</h1>
    <p class="lead">We track these brands in answers. Edits re-process past answers.</p>
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`} ${alertBox(problem)}
    ${renderRereadingProgress(view.reading)} ${renderSuggestionsSection(view)} ${renderCatalogSection(view)}
    ${
      canEdit &&
      details(
        { summary: "Add a brand", attributes: html`id="add"` },
        postForm(
          { action: `${brandsAddress(ids)}/create`, className: "stack", values: NEW_BRAND },
          (fields) =>
            html`${formIdField()} ${renderBrandFields(fields)}
              <div class="row-actions"><button class="primary">Add brand</button></div>`,
        ),
      )
    }
    ${renderBrandNameDatalist(brands.data)}`;
}

function renderCatalogSection(view: BrandsView): Html {
  const { brands, ids, query } = view;
  const path = brandsAddress(ids);
  const all = brands.total_count;
  const isNarrowed = ["text", "is", "kind", "show"].some((name) => query.get(name));
  const isArchived = showsOnlyArchived(query);
  const head = sortableHeaders({
    path,
    query,
    id: "catalog",
    sorts: CATALOG_SORTS,
    usual: { sort: "name", direction: "asc" },
  });
  return html`${renderFilters(view)}
  ${tablePanel({
    id: "catalog",
    title: isArchived ? formatCount(all, "archived brand") : formatCount(all, "brand"),
    hint: isArchived ? "Not in lists and figures, but still tracked." : "The tracked brands of this workspace.",
    csv: { href: `${path}/catalog.csv${updateQuery(query, { cursor: undefined })}`, rowCount: all },
    table:
      all === 0
        ? undefined
        : scrollTable({
            label: "Brands of the catalog",
            className: "sticky",
            columns: [
              head("name", "Brand", "text"),
              "Role",
              "Domains",
              "Other spellings",
              "Excluded phrases",
              head("created_at", "Added", "text"),
              ...(isArchived && view.canEdit ? [{ unseen: "Restore" }] : []),
            ],
            rows: brands.data.map((brand) => renderBrandRow(brand, view)),
          }),
    empty: html`<div class="empty">
      <p>${isNarrowed ? "No brand matches." : "No brand yet. Add your brand and its rivals."}</p>
      ${isNarrowed ? html`<a class="button secondary" href="${path}">All brands</a>` : view.canEdit && html`<a class="button secondary" href="#add">Add a brand</a>`}
    </div>`,
    pager: cursorPager(path, query, brands.next_cursor),
    note: html`<p class="hint">${formatCount(all, "brand")}${!isArchived && " · archived brands are not shown"}</p>`,
  })}`;
}

function toOptions(values: readonly string[]) {
  return values.map((one) => [one, one.replaceAll("_", " ")] as const);
}

function renderFilters({ ids, query }: BrandsView): Html {
  const all: Choice[] = [
    { name: "is", label: "Role", any: "Any", options: toOptions(BRAND_RELATIONSHIPS) },
    { name: "kind", label: "Type", any: "Any", options: toOptions(BRAND_KINDS) },
    { name: "show", label: "Show", any: "In the catalog", options: [["archived", "Archived"]] },
  ];
  return filterForm(brandsAddress(ids), query, all, {
    defaults: {},
    searchField: { name: "text", label: "Name contains" },
  });
}

function renderBrandRow(brand: ShownBrand, { ids, query, parentNameById, canEdit }: BrandsView): Html {
  const isArchived = showsOnlyArchived(query);
  const parent = brand.parent_id === null ? undefined : parentNameById.get(brand.parent_id);
  return html`<tr ${brand.relationship === "mine" && html` class="own"`}>
    <th scope="row">
      ${isArchived ? renderName(brand.name) : html`<a href="${buildBrandAddress(ids, brand.id)}">${renderName(brand.name)}</a>`}${parent !== undefined && html`<small>of ${renderName(parent)}</small>`}
    </th>
    <td>${brand.relationship}${brand.kind !== "brand" && html`<small>${brand.kind.replaceAll("_", " ")}</small>`}</td>
    <td>${joinNames(brand.domains)}</td>
    <td>
      ${joinNames(brand.aliases.map(({ text, case_sensitive: cased }) => (cased ? `${text} (this case)` : text)))}
    </td>
    <td>${joinNames(brand.excluded_phrases)}</td>
    <td class="when">${brand.created_at.slice(0, 10)}</td>
    ${isArchived && canEdit && html`<td>${renderRestoreForm(brand, ids)}</td>`}
  </tr>`;
}

function renderRestoreForm({ id, name }: ShownBrand, ids: BrandsView["ids"]): Html {
  return postForm(
    { action: `${brandsAddress(ids)}/restore`, hidden: { brand_id: id } },
    html`<button class="secondary">Restore<span class="unseen"> ${name}</span></button>`,
  );
}

function joinNames(texts: readonly string[]): Html {
  return html`${texts.map((text, at) => html`${at > 0 && ", "}${renderName(text)}`)}`;
}
