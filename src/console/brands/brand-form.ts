import type { z } from "zod";
import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../../core/brands/brand.ts";
import type { Brand } from "../../../tools/brands/brand.ts";
import type { StoredValues } from "../../http/pages/stale-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { selectField, inputField, textareaField } from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";

export type ShownBrand = z.output<typeof Brand>;

/** `parent` is the parent's name. */
export function toBrandFormValues(brand: z.input<typeof Brand>, parent = ""): StoredValues {
  const aliasTexts = (whether: boolean) =>
    brand.aliases.filter(({ case_sensitive: is }) => is === whether).map(({ text }) => text);
  return {
    name: brand.name,
    relationship: brand.relationship,
    kind: brand.kind,
    parent,
    domains: brand.domains.join("\n"),
    spellings: aliasTexts(false).join("\n"),
    exact_spellings: aliasTexts(true).join("\n"),
    excluded_phrases: brand.excluded_phrases.join("\n"),
  };
}

export const NEW_BRAND: StoredValues = { relationship: "competitor", kind: "brand" };

export function renderBrandFields(fields: FormFields): Html {
  return html`${inputField(fields, { name: "name", label: "Name", attributes: html`required maxlength="200"` })}
  ${renderValueSelect(fields, "relationship", "Role", BRAND_RELATIONSHIPS)}
  ${renderValueSelect(fields, "kind", "Type", BRAND_KINDS)}
  ${inputField(fields, {
    name: "parent",
    label: "Parent brand, of a sub-brand or product",
    attributes: html`list="brand-names" maxlength="200"`,
  })}
  ${renderLinesField(fields, "domains", "Domains, one per line")}
  ${renderLinesField(fields, "spellings", "Other spellings, in any case, one per line")}
  ${renderLinesField(fields, "exact_spellings", "Spellings in exactly this case, one per line")}
  ${renderLinesField(fields, "excluded_phrases", "Excluded phrases, in which the name means something else, one per line")}`;
}

/** The parent is still a name. */
export function parseBrandInput(form: URLSearchParams) {
  const spelt = (name: string, is: boolean) => parseLines(form, name).map((text) => ({ text, case_sensitive: is }));
  return {
    name: form.get("name") ?? "",
    relationship: form.get("relationship"),
    kind: form.get("kind"),
    domains: parseLines(form, "domains"),
    aliases: [...spelt("spellings", false), ...spelt("exact_spellings", true)],
    excluded_phrases: parseLines(form, "excluded_phrases"),
  };
}

function parseLines(form: URLSearchParams, name: string): string[] {
  const texts = (form.get(name) ?? "").split(/\r?\n/).map((line) => line.trim());
  return texts.filter((line) => line !== "");
}

function renderLinesField(fields: FormFields, name: string, label: string): Html {
  const stored = fields.stored(name);
  const rows = Math.max(2, Math.min(8, stored === "" ? 1 : stored.split("\n").length + 1));
  return textareaField(fields, { name, label, rows, attributes: html`spellcheck="false"` });
}

function renderValueSelect(fields: FormFields, name: string, label: string, values: readonly string[]): Html {
  return selectField(fields, { name, label, options: values.map((one) => [one, one.replaceAll("_", " ")]) });
}

export function renderBrandNameDatalist(brands: readonly { name: string }[]): Html {
  return html`<datalist id="brand-names">
    ${brands.map(({ name }) => html`<option value="${name}"></option>`)}
  </datalist>`;
}
