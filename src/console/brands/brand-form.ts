import type { z } from "zod";
import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../../core/brands/brand.ts";
import type { Brand } from "../../../tools/brands/brand.ts";
import { shownMark, type Shown } from "../../http/pages/as-shown.ts";
import { html, type Html } from "../../http/pages/html.ts";

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

const OF_NEW: Shown = { relationship: "competitor", kind: "brand" };

/** The fields of a brand, of `brand` as it is or of a new one. `parent` is the name of its parent. */
export function brandFields(brand?: ShownBrand, parent = ""): Html {
  const shown = brand ? brandShown(brand, parent) : OF_NEW;
  return html`${brand && shownMark(shown)}
    <label class="field">Name <input name="name" required maxlength="200" value="${shown["name"]}" /> </label>
    ${choice("relationship", "Is", BRAND_RELATIONSHIPS, shown)} ${choice("kind", "Kind", BRAND_KINDS, shown)}
    <label class="field"
      >Parent brand, of a sub-brand or product
      <input name="parent" list="brand-names" maxlength="200" value="${shown["parent"]}" />
    </label>
    ${lines("domains", "Domains, one a line", shown)}
    ${lines("spellings", "Other spellings, in any case, one a line", shown)}
    ${lines("exact_spellings", "Spellings in exactly this case, one a line", shown)}
    ${lines("excluded_phrases", "Excluded phrases, in which the name means something else, one a line", shown)}`;
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

function lines(name: string, label: string, { [name]: value = "" }: Shown): Html {
  const rows = Math.max(2, Math.min(8, value === "" ? 1 : value.split("\n").length + 1));
  // The first line break of a field is not part of it.
  const text = `\n${value}`;
  return html`<label class="field"
    >${label} <textarea name="${name}" rows="${rows}" spellcheck="false">${text}</textarea>
  </label>`;
}

function choice(name: string, label: string, options: readonly string[], { [name]: chosen }: Shown): Html {
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
