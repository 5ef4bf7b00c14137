import type { z } from "zod";
import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../../core/brands/brand.ts";
import type { Brand } from "../../../tools/brands/brand.ts";
import type { Shown } from "../../http/pages/as-shown.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { choiceField, lineField, textField } from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";

export type ShownBrand = z.output<typeof Brand>;

/** What the fields of a brand hold. `parent` is the name of its parent. */
export function brandShown(brand: z.input<typeof Brand>, parent = ""): Shown {
  const aliases = (whether: boolean) =>
    brand.aliases.filter(({ case_sensitive: is }) => is === whether).map(({ text }) => text);
  return {
    name: brand.name,
    relationship: brand.relationship,
    kind: brand.kind,
    parent,
    domains: brand.domains.join("\n"),
    spellings: aliases(false).join("\n"),
    exact_spellings: aliases(true).join("\n"),
    excluded_phrases: brand.excluded_phrases.join("\n"),
  };
}

/** Preset fields of a new brand. */
export const NEW_BRAND: Shown = { relationship: "competitor", kind: "brand" };

/** The fields of a brand. */
export function brandFields(fields: FormFields): Html {
  return html`${lineField(fields, { name: "name", label: "Name", more: html`required maxlength="200"` })}
  ${choice(fields, "relationship", "Is", BRAND_RELATIONSHIPS)} ${choice(fields, "kind", "Kind", BRAND_KINDS)}
  ${lineField(fields, {
    name: "parent",
    label: "Parent brand, of a sub-brand or product",
    more: html`list="brand-names" maxlength="200"`,
  })}
  ${lines(fields, "domains", "Domains, one a line")}
  ${lines(fields, "spellings", "Other spellings, in any case, one a line")}
  ${lines(fields, "exact_spellings", "Spellings in exactly this case, one a line")}
  ${lines(fields, "excluded_phrases", "Excluded phrases, in which the name means something else, one a line")}`;
}

/** The same as the endpoints take it, but for the parent, which is a name. */
export function brandInput(form: URLSearchParams) {
  const spelt = (name: string, is: boolean) => linesOf(form, name).map((text) => ({ text, case_sensitive: is }));
  return {
    name: form.get("name") ?? "",
    relationship: form.get("relationship"),
    kind: form.get("kind"),
    domains: linesOf(form, "domains"),
    aliases: [...spelt("spellings", false), ...spelt("exact_spellings", true)],
    excluded_phrases: linesOf(form, "excluded_phrases"),
  };
}

function linesOf(form: URLSearchParams, name: string): string[] {
  const texts = (form.get(name) ?? "").split(/\r?\n/).map((line) => line.trim());
  return texts.filter((line) => line !== "");
}

function lines(fields: FormFields, name: string, label: string): Html {
  const stored = fields.stored(name);
  const rows = Math.max(2, Math.min(8, stored === "" ? 1 : stored.split("\n").length + 1));
  return textField(fields, { name, label, rows, more: html`spellcheck="false"` });
}

function choice(fields: FormFields, name: string, label: string, values: readonly string[]): Html {
  return choiceField(fields, { name, label, options: values.map((one) => [one, one.replaceAll("_", " ")]) });
}

/** Any other catalog name can be entered too. */
export function brandNames(brands: readonly { name: string }[]): Html {
  return html`<datalist id="brand-names">
    ${brands.map(({ name }) => html`<option value="${name}"></option>`)}
  </datalist>`;
}
