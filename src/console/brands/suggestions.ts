import type { z } from "zod";
import { BRAND_RELATIONSHIPS } from "../../../core/brands/brand.ts";
import type { listBrandSuggestions } from "../../../tools/brand-suggestions/list-brand-suggestions.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderUntrustedText } from "../audits/labels.ts";
import { renderMetric, formatPercent } from "../shared/format-metrics.ts";
import { cursorPager } from "../shared/filters.ts";
import { parseTableSort, sortableHeaders } from "../shared/table-sort.ts";
import { answerAddress, brandsAddress, updateQuery, type WorkspaceIds } from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export type BrandSuggestionList = z.output<typeof listBrandSuggestions.output>;
type BrandSuggestion = BrandSuggestionList["data"][number];

export interface SuggestionsView {
  ids: WorkspaceIds;
  query: URLSearchParams;
  suggestions: BrandSuggestionList;
  canEdit: boolean;
}

export const SUGGESTION_COLUMNS: readonly CsvColumn<BrandSuggestion>[] = [
  "text",
  "occurrences",
  "confidence",
  "signals",
  "status",
  "first_seen_at",
  "last_seen_at",
];

export const SUGGESTION_STATUS_LABELS = {
  open: "Open",
  dismissed: "Dismissed",
  accepted: "Added",
  merged: "Merged",
} as const;

export function parseSuggestionStatus(query: URLSearchParams): keyof typeof SUGGESTION_STATUS_LABELS {
  const statuses = Object.keys(SUGGESTION_STATUS_LABELS) as (keyof typeof SUGGESTION_STATUS_LABELS)[];
  return statuses.find((one) => one === query.get("suggested")) ?? "open";
}

const SUGGESTION_SORTS = { occurrences: "desc", confidence: "desc" } as const;

export function parseSuggestionSort(query: URLSearchParams): keyof typeof SUGGESTION_SORTS {
  return parseTableSort(query, SUGGESTION_SORTS, "suggested")?.sort ?? "occurrences";
}

export function renderSuggestionsSection(view: SuggestionsView): Html {
  const { suggestions, ids, query } = view;
  const status = parseSuggestionStatus(query);
  const at = brandsAddress(ids);
  const to = (one: string) => `${at}${updateQuery(query, { suggested: one, after: undefined })}#suggested`;
  const kinds = Object.entries(SUGGESTION_STATUS_LABELS).map(([one, words]) =>
    one === status ? html`<strong>${words}</strong> ` : html`<a href="${to(one)}">${words}</a> `,
  );
  const sort = parseSuggestionSort(query);
  const head = sortableHeaders({
    path: at,
    query: new URLSearchParams(updateQuery(query, { after: undefined })),
    id: "suggested",
    sorts: SUGGESTION_SORTS,
    usual: { sort, direction: "desc" },
    own: "suggested",
    isOneWay: true,
  });
  return tablePanel({
    id: "suggested",
    title: "Suggested brands",
    hint: html`Names in answers that are not tracked yet. ${kinds}`,
    csv: {
      href: `${at}/suggestions.csv?suggested=${status}&suggested_sort=${sort}`,
      rowCount: suggestions.data.length,
    },
    table:
      suggestions.data.length === 0
        ? undefined
        : scrollTable({
            label: "Suggested brands with their counts",
            className: "sticky",
            columns: [
              "Name",
              head("occurrences", "Answers"),
              head("confidence", "Confidence"),
              "Found as",
              { unseen: "Decide" },
            ],
            rows: suggestions.data.map((one) => renderSuggestionRow(one, view)),
          }),
    empty: html`<p class="faint">${status === "open" ? "None open. New ones come with the next run." : "None."}</p>`,
    pager: cursorPager(at, query, suggestions.next_cursor, "after"),
  });
}

function renderSuggestionRow(suggestion: BrandSuggestion, view: SuggestionsView): Html {
  const { ids, canEdit } = view;
  return html`<tr>
    <th scope="row">
      ${renderUntrustedText(suggestion.text)}
      <small>
        ${suggestion.examples.map(({ analysis_id, answer_id }, index) => {
          const of = html`<span class="unseen"> with ${renderUntrustedText(suggestion.text)}</span>`;
          return html`<a href="${answerAddress({ ...ids, analysis_id }, answer_id)}">Answer ${index + 1}${of}</a> `;
        })}
      </small>
    </th>
    <td class="number">${renderMetric(suggestion.occurrences, formatInteger)}</td>
    <td class="number">${renderMetric(suggestion.confidence, formatPercent)}</td>
    <td class="signals">${suggestion.signals.map((signal) => signal.replaceAll("_", " ")).join(", ")}</td>
    <td>
      ${canEdit && (suggestion.status === "open" ? renderDecisionForms(suggestion, ids) : renderUndoForm(suggestion, ids))}
    </td>
  </tr>`;
}

function renderDecisionForms(suggestion: BrandSuggestion, ids: WorkspaceIds): Html {
  const at = brandsAddress(ids);
  const hidden = { suggestion_id: suggestion.id };
  const what = html`<span class="unseen"> ${suggestion.text}</span>`;
  return html`<div class="decide">
    ${postForm(
      { action: `${at}/accept`, hidden },
      (fields) =>
        html`<select name="relationship" aria-label="Add ${suggestion.text} as">
            ${BRAND_RELATIONSHIPS.toReversed().map((as) => html`<option ${fields.option("relationship", as)}>as ${as}</option>`)}
          </select>
          <button class="secondary">Add${what}</button>`,
    )}
    ${postForm({ action: `${at}/dismiss`, hidden }, html`<button class="secondary">Dismiss${what}</button>`)}
    ${postForm(
      { action: `${at}/merge`, hidden },
      (fields) =>
        html`<input
            ${fields.input("brand")}
            list="brand-names"
            aria-label="Brand to merge ${suggestion.text} into"
            placeholder="Brand"
            required
          />
          <button class="secondary">Merge${what}</button>`,
    )}
  </div>`;
}

function renderUndoForm(one: BrandSuggestion, ids: WorkspaceIds): Html {
  return postForm(
    { action: `${brandsAddress(ids)}/undo`, hidden: { suggestion_id: one.id } },
    html`<button class="secondary">Undo<span class="unseen"> ${one.text}</span></button>`,
  );
}
