import type { z } from "zod";
import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../../../../core/brands/brand.ts";
import type { Brand } from "../../../../../tools/brands/brand.ts";
import { html, type Html } from "../../html.ts";

export type ShownBrand = z.output<typeof Brand>;

/** The fields of a brand, of `brand` as it is or of a new one. `parent` is the name of its parent. */
export function brandFields(brand?: ShownBrand, parent = ""): Html {
  const aliases = (whether: boolean) =>
    brand?.aliases.filter(({ case_sensitive: is }) => is === whether).map(({ text }) => text) ?? [];
  return html`<label class="field"
      >Name <input name="name" required maxlength="200" value="${brand?.name ?? ""}" />
    </label>
    ${choice("relationship", "Is", BRAND_RELATIONSHIPS, brand?.relationship ?? "competitor")}
    ${choice("kind", "Kind", BRAND_KINDS, brand?.kind ?? "brand")}
    <label class="field"
      >Parent brand, of a sub-brand or product
      <input name="parent" list="brand-names" maxlength="200" value="${parent}" />
    </label>
    ${lines("domains", "Domains, one a line", brand?.domains ?? [])}
    ${lines("aliases", "Other spellings, in any case, one a line", aliases(false))}
    ${lines("cased", "Spellings in exactly this case, one a line", aliases(true))}
    ${lines("excluded", "Excluded phrases, in which the name means something else, one a line", brand?.excluded_phrases ?? [])}`;
}

/** The same as the endpoints take it, but for the parent, which is a name. */
export function brandInput(form: URLSearchParams) {
  const spelt = (name: string, is: boolean) => linesOf(form, name).map((text) => ({ text, case_sensitive: is }));
  return {
    name: form.get("name") ?? "",
    relationship: form.get("relationship"),
    kind: form.get("kind"),
    domains: linesOf(form, "domains"),
    aliases: [...spelt("aliases", false), ...spelt("cased", true)],
    excluded_phrases: linesOf(form, "excluded"),
  };
}

function linesOf(form: URLSearchParams, name: string): string[] {
  const texts = (form.get(name) ?? "").split(/\r?\n/).map((line) => line.trim());
  return texts.filter((line) => line !== "");
}

function lines(name: string, label: string, values: readonly string[]): Html {
  const rows = Math.max(2, Math.min(8, values.length + 1));
  // The first line break of a field is not part of it.
  const text = `\n${values.join("\n")}`;
  return html`<label class="field"
    >${label} <textarea name="${name}" rows="${rows}" spellcheck="false">${text}</textarea>
  </label>`;
}

function choice(name: string, label: string, options: readonly string[], chosen: string): Html {
  return html`<label class="field"
    >${label}
    <select name="${name}">
      ${options.map((one) => html`<option value="${one}" ${one === chosen && html` selected`}>${one.replaceAll("_", " ")}</option>`)}
    </select>
  </label>`;
}

/** Names that fields of brands propose; any other name of the catalog can be typed. */
export function brandNames(brands: readonly { name: string }[]): Html {
  return html`<datalist id="brand-names">
    ${brands.map(({ name }) => html`<option value="${name}"></option>`)}
  </datalist>`;
}
