import { fieldValue } from "./draft-setup.ts";
import { html, type Html } from "../../http/pages/html.ts";
import {
  selectField,
  inputField,
  textareaField,
  renderCheckboxField,
  checkboxFields,
} from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";
import { renderName, truncateName } from "../shared/format-metrics.ts";
import type { StepView } from "./wizard.ts";

/** Default number of selected rivals, which is the max of an analysis. */
const MAX_COMPETITORS = 10;

export function renderWhatFields(fields: FormFields, view: StepView): Html {
  return view.type === "audit" ? renderSiteFields(fields) : renderBrandFields(fields, view);
}

function renderBrandFields(fields: FormFields, { type, draft, brands }: StepView): Html {
  const { own, rivalChoices } = brands;
  const isSent = draft.sent.includes("what");
  const usual = own.find(({ relationship }) => relationship === "mine")?.id ?? "";
  const ticked = isSent
    ? draft.fields.getAll("competitors")
    : rivalChoices.slice(0, MAX_COMPETITORS).map(({ id }) => id);
  // Selected brands stay listed even if they are not among the catalog's first.
  const options = [
    ...rivalChoices,
    ...own.filter(({ id, relationship }) => relationship === "other" && ticked.includes(id)),
  ];
  const listed = options.map(({ id, name }) => ({ value: id, shown: renderName(name) }));
  const unlisted = ticked.filter((id) => listed.every(({ value }) => value !== id));
  return html`<fieldset>
      <legend>Your brand</legend>
      ${
        own.length > 0 &&
        selectField(fields, {
          name: "brand",
          label: "Brand",
          value: isSent ? fieldValue(draft, "brand") : usual,
          options: [
            ...own.map(({ id, name }) => [id, truncateName(name)] as const),
            ["", "Another one, named below"] as const,
          ],
        })
      }
      <div class="grid">
        ${inputField(fields, {
          name: "brand_name",
          label: own.length > 0 ? "Another brand" : "Brand",
          hint: own.length > 0 ? "If it is not in the list above." : "As people write it.",
          attributes: html`maxlength="200"`,
        })}
        ${inputField(fields, {
          name: "website",
          label: "Website",
          hint: own.length > 0 ? "Optional for brands you already track." : "Such as example.com.",
          attributes: html`maxlength="2000" inputmode="url"`,
        })}
      </div>
      ${
        type === "brand" &&
        html`<div class="grid">
          ${inputField(fields, {
            name: "category",
            label: "What people look for",
            hint: "In their words, such as espresso machines. Used in the prompts.",
            attributes: html`maxlength="200"`,
          })}
          ${inputField(fields, {
            name: "attributes",
            label: "Attributes (optional)",
            hint: "Up to 6, separated by commas, such as price, durability.",
          })}
        </div>`
      }
    </fieldset>
    <fieldset>
      <legend>Competitors</legend>
      ${listed.length > 0 && checkboxFields(fields, { name: "competitors", label: "From the catalog", options: listed, ticked })}
      ${unlisted.map((id) => html`<input type="hidden" name="competitors" value="${id}" />`)}
      ${textareaField(fields, {
        name: "competitor_names",
        label: listed.length > 0 ? "Others" : "Names",
        hint: `One per line, ${type === "brand" ? "1 to" : "up to"} 10 in all.`,
        rows: 3,
      })}
    </fieldset>
    ${renderCheckboxField(fields, {
      name: "agree",
      label: "Add names that are not in the brand catalog to it.",
      hint: "They are tracked from now on, and past answers are re-processed.",
    })}
    ${renderNameField(fields)}`;
}

function renderNameField(fields: FormFields): Html {
  return inputField(fields, {
    name: "name",
    label: "Name of the analysis (optional)",
    hint: "Default: named after its subject.",
    attributes: html`maxlength="200"`,
  });
}

function renderSiteFields(fields: FormFields): Html {
  return html`${inputField(fields, {
      name: "website",
      label: "Website",
      hint: "Any address of the site, such as example.com.",
      attributes: html`maxlength="2000" inputmode="url"`,
    })}
    ${selectField(fields, {
      name: "pages_of",
      label: "Pages",
      options: [
        ["sitemap", "Pages of the sitemap, or else pages linked from the start page"],
        ["list", "Pages listed below"],
      ],
    })}
    <fieldset class="of-sitemap">
      <legend>From the sitemap</legend>
      <div class="grid">
        ${inputField(fields, { name: "max_pages", label: "At most", attributes: html`type="number" min="1" max="5000"` })}
        ${inputField(fields, {
          name: "sitemap_url",
          label: "Sitemap (optional)",
          hint: "If robots.txt names none.",
          attributes: html`maxlength="2000" inputmode="url"`,
        })}
      </div>
    </fieldset>
    <div class="of-list">${textareaField(fields, { name: "urls", label: "Addresses, one per line", rows: 5 })}</div>
    ${renderCheckboxField(fields, {
      name: "render",
      label: "Run page scripts",
      hint: "In a browser, if the operator configured one.",
    })}
    ${renderNameField(fields)}`;
}
