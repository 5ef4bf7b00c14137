import type { TrackedBrand } from "../../core/reading/capture.ts";
import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";

/** A brand of which only the name matters, with a case's additions. */
export function brand(name: string, extra: Partial<TrackedBrand> = {}): TrackedBrand {
  return {
    id: name,
    number: 1,
    name,
    aliases: [],
    excluded_phrases: [],
    domains: [],
    kind: "brand",
    parent_id: null,
    relationship: "competitor",
    ...extra,
  };
}

export function alias(text: string, caseSensitive = false): { text: string; case_sensitive: boolean } {
  return { text, case_sensitive: caseSensitive };
}

export function catalogOf(...names: (string | TrackedBrand)[]): CompiledCatalog {
  return compileCatalog(names.map((name) => (typeof name === "string" ? brand(name) : name)));
}
