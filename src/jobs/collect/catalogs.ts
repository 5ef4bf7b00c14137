import { listTrackedBrands } from "../../../db/catalog/brands.ts";
import type { Db } from "../../../db/engine/store.ts";
import { compileCatalog, type CompiledCatalog } from "../../../core/reading/catalog.ts";

/** Compiled catalogs of the workspaces that are being collected; a changed catalog is compiled again. */
export interface Catalogs {
  /** By workspace, as `db` sees them now: the same object for as long as the workspace's brands are the same. */
  of(db: Db, places: Iterable<Place>): Promise<Map<string, CompiledCatalog>>;
}

interface Place {
  organizationId: string;
  workspaceId: string;
}

const MOST_KEPT = 50;

export function openCatalogs(): Catalogs {
  const kept = new Map<string, { brands: string; catalog: CompiledCatalog }>();
  async function load(db: Db, place: Place): Promise<CompiledCatalog> {
    const rows = await listTrackedBrands({ db, ...place });
    const brands = JSON.stringify(rows);
    const known = kept.get(place.workspaceId);
    if (known?.brands === brands) return known.catalog;
    const catalog = compileCatalog(rows);
    kept.delete(place.workspaceId);
    kept.set(place.workspaceId, { brands, catalog });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return catalog;
  }
  return {
    async of(db, places) {
      const organizations = new Map([...places].map((place) => [place.workspaceId, place.organizationId]));
      const catalogs = new Map<string, CompiledCatalog>();
      // One question per workspace: a batch of jobs is of a few at most.
      for (const [workspaceId, organizationId] of organizations) {
        catalogs.set(workspaceId, await load(db, { organizationId, workspaceId }));
      }
      return catalogs;
    },
  };
}
