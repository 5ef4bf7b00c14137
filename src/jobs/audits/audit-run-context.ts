import { findPreviousRun, type AuditRow, type Crawl } from "../../../db/audits/crawls.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { computeRunBasis } from "../../../core/audits/page-basis.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { BackgroundWork } from "../background/background.ts";
import { CrawlSettings } from "./begin-crawl.ts";
import { openPermissions, type Permissions } from "./robots-files.ts";

export interface AuditRunContext {
  collectId: string;
  audit: AuditRow;
  renders: boolean;
  names: readonly string[];
  permissions: Permissions;
  /** Digest of all inputs of page checks; detects whether earlier findings apply. */
  basis: string;
  before: Awaited<ReturnType<typeof findPreviousRun>>;
}

export async function openAuditRun(crawl: Crawl, store: TenantStore, work: BackgroundWork): Promise<AuditRunContext> {
  const { collect, audit, brandId } = crawl;
  if (!audit) throw new Error("the site was not read before its pages");
  const { before, names } = await store.read(async (tenant) => ({
    before: await findPreviousRun(tenant, { ...collect, startedAt: audit.startedAt }),
    names: brandId === null ? [] : listBrandNames((await work.catalogs.load(tenant)).compiled, brandId),
  }));
  return {
    collectId: collect.id,
    audit,
    renders: CrawlSettings.parse(crawl.setup).render,
    names,
    permissions: openPermissions(audit.site, { ...work, crawler: work.outside.crawler }),
    basis: computeRunBasis(work.checker.rules.version, names, audit.site),
    before,
  };
}

function listBrandNames({ brands, lineages, indexById }: CompiledCatalog, brandId: string): string[] {
  const own = indexById.get(brandId);
  if (own === undefined) return [];
  const names = brands.flatMap(({ name, aliases }, place) =>
    lineages[place]?.includes(own) ? [name, ...aliases.map(({ text }) => text)] : [],
  );
  return [...new Set(names)];
}
