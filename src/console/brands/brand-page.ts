import type { z } from "zod";
import type { BrandWithHints } from "../../../tools/brands/brand.ts";
import type { getCatalogReading } from "../../../tools/brands/get-catalog-reading.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox } from "../../http/pages/page.ts";
import { renderName } from "../shared/format-metrics.ts";
import { buildBrandAddress, brandsAddress, type WorkspaceIds } from "../shared/page-addresses.ts";
import { renderBrandFields, renderBrandNameDatalist, toBrandFormValues } from "./brand-form.ts";
import { renderRereadingProgress } from "./rereading-progress.ts";

export interface BrandView {
  ids: WorkspaceIds;
  brand: z.output<typeof BrandWithHints>;
  parentName: string | undefined;
  parentChoices: readonly { name: string }[];
  reading: z.output<typeof getCatalogReading.output>;
  canEdit: boolean;
  done?: string | undefined;
  problem?: string | undefined;
}

export function renderBrandPage(view: BrandView): Html {
  const { ids, brand, parentName, parentChoices, canEdit, done, problem } = view;
  const at = buildBrandAddress(ids, brand.id);
  return html`<p class="crumb"><a href="${brandsAddress(ids)}">Brands</a></p>
    <h1>${renderName(brand.name)}</h1>
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`} ${alertBox(problem)}
    ${renderRereadingProgress(view.reading)} ${renderHints(view)}
    ${
      canEdit
        ? html`<section class="panel" aria-labelledby="edit">
              <h2 id="edit">Names and role</h2>
              ${postForm(
                { action: `${at}/update`, className: "stack", shown: toBrandFormValues(brand, parentName) },
                (fields) =>
                  html`${renderBrandFields(fields)}
                    <p class="hint">Edits re-process past answers, and figures change with them.</p>
                    <div class="row-actions"><button class="primary">Save</button></div>`,
              )}
            </section>
            ${confirmationForm({
              action: `${brandsAddress(ids)}/archive`,
              verb: "Archive",
              target: brand.name,
              effect: "It leaves all lists and figures. Stored answers stay, and it can be restored.",
              hidden: { brand_id: brand.id },
            })}
            ${renderBrandNameDatalist(parentChoices)}`
        : html`<p class="hint">Only editors of this workspace can change it.</p>`
    }`;
}

function renderHints({ brand, ids, canEdit }: BrandView): Html | undefined {
  if (brand.hints.length === 0) return undefined;
  return html`<section class="panel" aria-labelledby="hints">
    <h2 id="hints">Risky names</h2>
    <ul class="hints">
      ${brand.hints.map(
        ({ message, excluded_phrases: phrases }) =>
          html`<li>
            <p>${message}</p>
            ${
              phrases.length > 0 &&
              html`<p class="hint">Proposed: ${phrases.map((one) => `“${one}”`).join(", ")}</p>
                ${
                  canEdit &&
                  postForm(
                    { action: `${buildBrandAddress(ids, brand.id)}/exclude`, hidden: { phrase: phrases } },
                    html`<button class="secondary">Exclude these ${phrases.length} phrases</button>`,
                  )
                }`
            }
          </li>`,
      )}
    </ul>
  </section>`;
}
