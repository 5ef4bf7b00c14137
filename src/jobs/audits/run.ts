import { findRunBefore, type AuditRow, type Crawl } from "../../../db/audits/crawls.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { runBasis } from "../../../core/audits/page-basis.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { BackgroundWork } from "../background/background.ts";
import { CrawlSettings } from "./begin-crawl.ts";
import { openPermissions, type Permissions } from "./robots-files.ts";

export interface Run {
  collectId: string;
  audit: AuditRow;
  renders: boolean;
  names: readonly string[];
  permissions: Permissions;
  /** Digest of all inputs of page checks; detects whether earlier findings apply. */
  basis: string;
  before: Awaited<ReturnType<typeof findRunBefore>>;
}

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

function namesOf({ brands, lineages, places }: CompiledCatalog, brandId: string): string[] {
  const own = places.get(brandId);
  if (own === undefined) return [];
  const names = brands.flatMap(({ name, aliases }, place) =>
    lineages[place]?.includes(own) ? [name, ...aliases.map(({ text }) => text)] : [],
  );
  return [...new Set(names)];
}
