import { LRUCache } from "lru-cache";
import type { Tenant } from "../engine/store.ts";
import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { RULES_VERSION } from "../../core/perception/read-brand-answer.ts";
import { findCatalogVersion, listTrackedBrands } from "./brands.ts";

/** `version` covers everything that extraction depends on. */
export interface VersionedCatalog {
  version: string;
  compiled: CompiledCatalog;
}

export interface Catalogs {
  /** Returns the same object until the catalog changes. */
  of(tenant: Tenant): Promise<VersionedCatalog>;
}

const MOST_KEPT = 50;

export function openCatalogs(): Catalogs {
  const kept = new LRUCache<string, VersionedCatalog>({ max: MOST_KEPT });
  return {
    async of(tenant) {
      const { workspaceId } = tenant;
      const version = await versionOf(tenant);
      const known = kept.get(workspaceId);
      const catalog =
        known?.version === version ? known : { version, compiled: compileCatalog(await listTrackedBrands(tenant)) };
      kept.set(workspaceId, catalog);
      return catalog;
    },
  };
}

export async function isCurrent(tenant: Tenant, { version }: VersionedCatalog): Promise<boolean> {
  return (await versionOf(tenant)) === version;
}

/** Combines the version of the extraction rules with that of the catalog. */
export async function versionOf(tenant: Tenant): Promise<string> {
  return `${RULES_VERSION}.${await findCatalogVersion(tenant)}`;
}
