import { buildAliasIndex, type AliasIndex, type AliasSource } from "./aliases/alias-index.ts";
import type { TrackedBrand } from "./capture.ts";
import { parseHost } from "../identity/domains.ts";

/** An immutable index of the catalog; compile again when the catalog changes. */
export interface CompiledCatalog {
  brands: readonly TrackedBrand[];
  aliases: AliasIndex;
  /** Built like the index of aliases; null if no brand has an excluded phrase. */
  exclusions: AliasIndex | null;
  /** Index in `brands` by host. A listed host also covers its subdomains. */
  hosts: ReadonlyMap<string, number>;
  indexById: ReadonlyMap<string, number>;
  /** Lineage of each brand: its own index, then its ancestors' indexes up to the root. */
  lineages: readonly (readonly number[])[];
}

/** A name is always an alias; an explicit alias of the same text sets its case sensitivity. */
export function compileCatalog(brands: readonly TrackedBrand[]): CompiledCatalog {
  const aliases: AliasSource[] = [];
  const exclusions: AliasSource[] = [];
  const hosts = new Map<string, number>();
  const indexById = new Map(brands.map((brand, place) => [brand.id, place]));
  for (const [index, brand] of brands.entries()) {
    if (!brand.aliases.some((alias) => alias.text === brand.name)) {
      aliases.push({ brand: index, text: brand.name, isCaseSensitive: false });
    }
    for (const alias of brand.aliases) {
      aliases.push({ brand: index, text: alias.text, isCaseSensitive: alias.case_sensitive });
    }
    for (const text of brand.excluded_phrases) exclusions.push({ brand: index, text, isCaseSensitive: false });
    for (const domain of brand.domains) {
      const host = parseHost(domain);
      if (host !== "" && !hosts.has(host)) hosts.set(host, index);
    }
  }
  return {
    brands,
    aliases: buildAliasIndex(aliases),
    exclusions: exclusions.length === 0 ? null : buildAliasIndex(exclusions),
    hosts,
    indexById,
    lineages: buildLineages(brands, indexById),
  };
}

function buildLineages(brands: readonly TrackedBrand[], places: ReadonlyMap<string, number>): number[][] {
  return brands.map((brand, index) => {
    const lineage = [index];
    let parent = brand.parent_id === null ? undefined : places.get(brand.parent_id);
    while (parent !== undefined && !lineage.includes(parent)) {
      lineage.push(parent);
      const above = brands[parent]?.parent_id ?? null;
      parent = above === null ? undefined : places.get(above);
    }
    return lineage;
  });
}

/** Ids of brands without a parent in the catalog. Headline metrics count only these. */
export function listRootBrandIds(catalog: CompiledCatalog): Set<string> {
  return new Set(catalog.brands.filter((_, place) => catalog.lineages[place]?.length === 1).map((brand) => brand.id));
}
