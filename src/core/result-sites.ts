import type { CapturedResult, TrackedBrand } from "./capture.ts";
import { competitorTypeOfPage } from "./competitor-type.ts";
import { hostOf, lookUpHost } from "./domains.ts";
import type { CompetitorType } from "./sources.ts";

/** Which brand of a catalog each listed host belongs to. */
export type HostOwners = ReadonlyMap<string, TrackedBrand>;

export function hostOwners(brands: readonly TrackedBrand[]): HostOwners {
  const owners = new Map<string, TrackedBrand>();
  for (const brand of brands) {
    for (const host of brand.domains.map(hostOf)) {
      if (host !== "" && !owners.has(host)) owners.set(host, brand);
    }
  }
  return owners;
}

/** Kinds of site on a page of results. */
export function resultSiteTypes(results: readonly CapturedResult[], owners: HostOwners): Set<CompetitorType> {
  return new Set(
    results.map(({ url, title }) => competitorTypeOfPage({ url, title, brand: lookUpHost(owners, hostOf(url)) })),
  );
}
