import { findRunBefore, type AuditRow, type Crawl } from "../../../db/audits/crawls.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { runBasis } from "../../../core/audits/page-basis.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { BackgroundWork } from "../background/background.ts";
import { CrawlSettings } from "./begin-crawl.ts";
import { openPermissions, type Permissions } from "./robots-files.ts";

/** What all pages of a run are fetched and checked with. */
export interface Run {
  collectId: string;
  audit: AuditRow;
  /** True where scripts are run too. */
  renders: boolean;
  /** Names of the own brand and of what belongs to it. */
  names: readonly string[];
  permissions: Permissions;
  /** Digest of all that every page is checked with. */
  basis: string;
  /** The run that it is compared with. */
  before: Awaited<ReturnType<typeof findRunBefore>>;
}

/** A run whose site was read. */
export async function openRun(crawl: Crawl, store: TenantStore, work: BackgroundWork): Promise<Run> {
  const { collect, audit, brandId } = crawl;
  if (!audit) throw new Error("a site is read before its pages");
  const { before, names } = await store.read(async (tenant) => ({
    before: await findRunBefore(tenant, { ...collect, startedAt: audit.startedAt }),
    names: brandId === null ? [] : namesOf((await work.catalogs.of(tenant)).compiled, brandId),
  }));
  return {
    collectId: collect.id,
    audit,
    renders: CrawlSettings.parse(crawl.setup).render,
    names,
    permissions: openPermissions(audit.site, { ...work, crawler: work.outside.crawler }),
    basis: runBasis(work.checker.rules.version, names, audit.site),
    before,
  };
}

/** Names of a brand and of all that stands below it. */
function namesOf({ brands, lineages, places }: CompiledCatalog, brandId: string): string[] {
  const own = places.get(brandId);
  if (own === undefined) return [];
  const names = brands.flatMap(({ name, aliases }, place) =>
    lineages[place]?.includes(own) ? [name, ...aliases.map(({ text }) => text)] : [],
  );
  return [...new Set(names)];
}
