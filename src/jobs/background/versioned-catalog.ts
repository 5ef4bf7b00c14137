import { hash } from "node:crypto";
import { listTrackedBrands } from "../../../db/catalog/brands.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { TrackedBrand } from "../../../core/reading/capture.ts";
import { compileCatalog, type CompiledCatalog } from "../../../core/reading/catalog.ts";
import { READING_VERSION } from "../../../core/reading/reading.ts";

/** A workspace's catalog with a mark of everything that decides what is read with it. */
export interface VersionedCatalog {
  version: string;
  compiled: CompiledCatalog;
}

export async function loadCatalog(tenant: Tenant): Promise<VersionedCatalog> {
  const brands = await listTrackedBrands(tenant);
  return { version: versionOf(brands), compiled: compileCatalog(brands) };
}

/** True while the workspace's catalog is still this one, as the transaction of `tenant` sees it. */
export async function isCurrent(tenant: Tenant, { version }: VersionedCatalog): Promise<boolean> {
  return versionOf(await listTrackedBrands(tenant)) === version;
}

function versionOf(brands: readonly TrackedBrand[]): string {
  return hash("sha256", JSON.stringify([READING_VERSION, brands]), "base64url");
}
