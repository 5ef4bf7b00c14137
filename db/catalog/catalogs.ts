import { LRUCache } from "lru-cache";
import type { Tenant } from "../engine/store.ts";
import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { RULES_VERSION } from "../../core/perception/read-brand-answer.ts";
import { findCatalogVersion, listTrackedBrands } from "./brands.ts";

/** A workspace's catalog with a mark of everything that decides what is read with it. */
export interface VersionedCatalog {
  version: string;
  compiled: CompiledCatalog;
}

/** Compiled catalogs of workspaces, each compiled once for all who read with it. */
export interface Catalogs {
  /** The catalog as the connection of `tenant` sees it: the same object for as long as it is the same. */
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

/** True while the workspace's catalog is still this one, as the transaction of `tenant` sees it. */
export async function isCurrent(tenant: Tenant, { version }: VersionedCatalog): Promise<boolean> {
  return (await versionOf(tenant)) === version;
}

/** What stands for everything that decides what is read with the workspace's catalog: the versions of the rules, and of the catalog. */
export async function versionOf(tenant: Tenant): Promise<string> {
  return `${RULES_VERSION}.${await findCatalogVersion(tenant)}`;
}
