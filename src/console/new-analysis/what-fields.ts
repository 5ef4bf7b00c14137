import { fieldValue } from "./draft-setup.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { selectField, inputField, textareaField, checkboxField, checkboxFields } from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";
import { renderName, truncateName } from "../shared/format-metrics.ts";
import type { StepView } from "./wizard.ts";

/** Default number of selected rivals, which is the max of an analysis. */
const MAX_COMPETITORS = 10;

/** What an analysis is about. */
export function whatFields(fields: FormFields, view: StepView): Html {
  return view.type === "audit" ? siteFields(fields) : brandFields(fields, view);
}

function brandFields(fields: FormFields, { type, draft, brands }: StepView): Html {
  const { own, rivals } = brands;
  const isSent = draft.sent.includes("what");
  const usual = own.find(({ relationship }) => relationship === "mine")?.id ?? "";
  const ticked = isSent ? draft.fields.getAll("competitors") : rivals.slice(0, MAX_COMPETITORS).map(({ id }) => id);
  // Selected brands stay listed even if they are not among the catalog's first.
  const options = [...rivals, ...own.filter(({ id, relationship }) => relationship === "other" && ticked.includes(id))];
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
          hint: own.length > 0 ? "Where it is not in the list above." : "As people write it.",
          more: html`maxlength="200"`,
        })}
        ${inputField(fields, {
          name: "website",
          label: "Website",
          hint: own.length > 0 ? "Leave it empty for the site of a brand of the list." : "Such as example.com.",
          more: html`maxlength="2000" inputmode="url"`,
        })}
      </div>
      ${
        type === "brand" &&
        html`<div class="grid">
          ${inputField(fields, {
            name: "category",
            label: "What people look for",
            hint: "As they say it, such as espresso machines. Prompts are made of it.",
            more: html`maxlength="200"`,
          })}
          ${inputField(fields, {
            name: "attributes",
            label: "Attributes (optional)",
            hint: "Up to 6, with commas between them, such as price, durability.",
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
        hint: `One a line, ${type === "brand" ? "1 to" : "up to"} 10 in all.`,
        rows: 3,
      })}
    </fieldset>
    ${checkboxField(fields, {
      name: "agree",
      label: "Add names that are not in the brand catalog to it.",
      hint: "Answers are then read for them. Stored answers are read again.",
    })}
    ${nameField(fields)}`;
}

function nameField(fields: FormFields): Html {
  return inputField(fields, {
    name: "name",
    label: "Name of the analysis (optional)",
    hint: "Without one it is named after what it is about.",
    more: html`maxlength="200"`,
  });
}

function siteFields(fields: FormFields): Html {
  return html`${inputField(fields, {
      name: "website",
      label: "Website",
      hint: "Any address of the site, such as example.com.",
      more: html`maxlength="2000" inputmode="url"`,
    })}
    ${selectField(fields, {
      name: "pages_of",
      label: "Pages",
      options: [
        ["sitemap", "Those of the sitemap, or else that the start page links to"],
        ["list", "Those that are listed below"],
      ],
    })}
    <fieldset class="of-sitemap">
      <legend>From the sitemap</legend>
      <div class="grid">
        ${inputField(fields, { name: "max_pages", label: "At most", more: html`type="number" min="1" max="5000"` })}
        ${inputField(fields, {
          name: "sitemap_url",
          label: "Sitemap (optional)",
          hint: "Where robots.txt names none.",
          more: html`maxlength="2000" inputmode="url"`,
        })}
      </div>
    </fieldset>
    <div class="of-list">${textareaField(fields, { name: "urls", label: "Addresses, one a line", rows: 5 })}</div>
    ${checkboxField(fields, {
      name: "render",
      label: "Run the scripts of pages too",
      hint: "In a browser, where the operator configured one.",
    })}
    ${nameField(fields)}`;
}
