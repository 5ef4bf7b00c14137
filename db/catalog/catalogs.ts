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

export interface CatalogCache {
  /** Returns the same object until the catalog changes. */
  load(tenant: Tenant): Promise<VersionedCatalog>;
}

const MAX_CACHED_CATALOGS = 50;

export function openCatalogCache(): CatalogCache {
  const cachedCatalogs = new LRUCache<string, VersionedCatalog>({ max: MAX_CACHED_CATALOGS });
  return {
    async load(tenant) {
      const { workspaceId } = tenant;
      const version = await findExtractionVersion(tenant);
      const known = cachedCatalogs.get(workspaceId);
      const catalog =
        known?.version === version ? known : { version, compiled: compileCatalog(await listTrackedBrands(tenant)) };
      cachedCatalogs.set(workspaceId, catalog);
      return catalog;
    },
  };
}

export async function isCurrentCatalog(tenant: Tenant, { version }: VersionedCatalog): Promise<boolean> {
  return (await findExtractionVersion(tenant)) === version;
}

export async function findExtractionVersion(tenant: Tenant): Promise<string> {
  return `${RULES_VERSION}.${await findCatalogVersion(tenant)}`;
}
