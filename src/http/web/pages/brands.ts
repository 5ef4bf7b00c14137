import type { z } from "zod";
import { BRAND_RELATIONSHIPS } from "../../../../core/brands/brand.ts";
import type { listBrandSuggestions } from "../../../../tools/brand-suggestions/list-brand-suggestions.ts";
import type { getCatalogReading } from "../../../../tools/brands/get-catalog-reading.ts";
import type { listBrands } from "../../../../tools/brands/list-brands.ts";
import { counted } from "../../../../tools/quotes/presentation.ts";
import { html, type Html } from "../html.ts";
import { alertBox } from "../page.ts";
import { scrollTable } from "../table.ts";
import { outside } from "./audits/words.ts";
import { nameShown } from "./figures.ts";
import { answerAddress, brandsAddress, type WorkspacePlace } from "./places.ts";

type Brands = z.output<typeof listBrands.output>;
type Suggestion = z.output<typeof listBrandSuggestions.output>["data"][number];

export interface BrandsView {
  place: WorkspacePlace;
  brands: Brands;
  suggestions: z.output<typeof listBrandSuggestions.output>;
  reading: z.output<typeof getCatalogReading.output>;
  mayWrite: boolean;
  done?: string | undefined;
  problem?: string | undefined;
}

/** The brands that answers are read for, and names that answers use which the catalog lacks. */
export function brandsPage(view: BrandsView): Html {
  const { brands, done, problem } = view;
  return html`<h1>Brands</h1>
    <p class="lead">Answers are read for these brands. A change reads all stored answers again.</p>
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`} ${alertBox(problem)} ${readingShown(view)}
    ${suggestionsSection(view)}
    <section class="panel" aria-labelledby="catalog">
      <div class="panel-head"><h2 id="catalog">Catalog</h2></div>
      ${
        brands.data.length === 0
          ? html`<div class="empty"><p>No brand yet. Ask your assistant to add your brand and its rivals.</p></div>`
          : catalog(view)
      }
      ${brands.next_cursor !== null && html`<p class="pager"><a href="?cursor=${encodeURIComponent(brands.next_cursor)}">Next</a></p>`}
    </section>`;
}

/** Whether stored answers are being read again. */
function readingShown({ reading }: BrandsView): Html | undefined {
  const { status, answers_done: done, answers_total: all, reason } = reading;
  if (status === "idle") return undefined;
  if (status === "failed") return alertBox(`Stored answers could not be read again. ${reason ?? ""}`);
  return html`<section class="panel" aria-labelledby="reading">
    <h2 id="reading">Stored answers are being read again</h2>
    <progress max="${Math.max(1, all)}" value="${done}" aria-labelledby="reading"></progress>
    <p class="hint">${done} of ${counted(all, "answer")}. Until then figures still change. <a href="">Reload</a></p>
  </section>`;
}

function suggestionsSection(view: BrandsView): Html | undefined {
  const { suggestions } = view;
  if (suggestions.data.length === 0) return undefined;
  return html`<section class="panel" aria-labelledby="suggested">
    <div class="panel-head">
      <h2 id="suggested">Suggested brands</h2>
      <p class="hint">Names that answers use and the catalog lacks, most frequent first.</p>
    </div>
    <ul class="suggestions">
      ${suggestions.data.map((one) => suggestionShown(one, view))}
    </ul>
    ${suggestions.next_cursor !== null && html`<p class="hint">More follow when these are decided.</p>`}
  </section>`;
}

function suggestionShown(one: Suggestion, { place, brands, mayWrite }: BrandsView): Html {
  const id = html`<input type="hidden" name="suggestion_id" value="${one.id}" />`;
  const at = brandsAddress(place);
  return html`<li>
    <p>
      <strong>${outside(one.text)}</strong>
      <span class="hint"
        >in ${counted(one.occurrences, "answer")},
        ${one.signals.map((signal) => signal.replaceAll("_", " ")).join(", ")}</span
      >
      ${one.examples.map(({ analysis_id, answer_id }, index) => {
        const of = html`<span class="unseen"> with ${outside(one.text)}</span>`;
        return html`<a href="${answerAddress({ ...place, analysis_id }, answer_id)}">Answer ${index + 1}${of}</a> `;
      })}
    </p>
    ${
      mayWrite &&
      html`<div class="decide">
        <form method="post" action="${at}/accept">
          ${id}
          <select name="relationship" aria-label="Add ${one.text} as">
            ${BRAND_RELATIONSHIPS.toReversed().map((what) => html`<option value="${what}">as ${what}</option>`)}
          </select>
          <button class="secondary">Add<span class="unseen"> ${one.text}</span></button>
        </form>
        <form method="post" action="${at}/merge">
          ${id}
          <select name="brand_id" aria-label="Merge ${one.text} into">
            ${brands.data.map((brand) => html`<option value="${brand.id}">into ${brand.name}</option>`)}
          </select>
          <button class="secondary">Merge<span class="unseen"> ${one.text}</span></button>
        </form>
        <form method="post" action="${at}/dismiss">
          ${id}<button class="secondary">Dismiss<span class="unseen"> ${one.text}</span></button>
        </form>
      </div>`
    }
  </li>`;
}

function catalog({ brands }: BrandsView): Html {
  const names = new Map(brands.data.map(({ id, name }) => [id, name]));
  return scrollTable({
    label: "Brands of the catalog",
    columns: ["Brand", "Is", "Domains", "Aliases", "Excluded phrases"],
    rows: brands.data.map((brand) => {
      const parent = brand.parent_id === null ? undefined : names.get(brand.parent_id);
      return html`<tr ${brand.relationship === "mine" && html` class="own"`}>
        <th scope="row">
          ${nameShown(brand.name)}${parent !== undefined && html`<small>of ${nameShown(parent)}</small>`}
        </th>
        <td>
          ${brand.relationship}${brand.kind !== "brand" && html`<small>${brand.kind.replaceAll("_", " ")}</small>`}
        </td>
        <td>${list(brand.domains)}</td>
        <td>${list(brand.aliases.map(({ text }) => text))}</td>
        <td>${list(brand.excluded_phrases)}</td>
      </tr>`;
    }),
  });
}

function list(texts: readonly string[]): Html {
  return html`${texts.map((text, at) => html`${at > 0 && ", "}${nameShown(text)}`)}`;
}
