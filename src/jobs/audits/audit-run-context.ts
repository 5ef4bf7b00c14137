import { findPreviousRun, type AuditRow, type Crawl } from "../../../db/audits/crawls.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { computeRunBasis } from "../../../core/audits/page-basis.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { BackgroundWork } from "../background/background.ts";
import { CrawlSettingsSchema } from "./begin-crawl.ts";
import { openPermissions, type Permissions } from "./robots-files.ts";

export interface AuditRunContext {
  collectId: string;
  audit: AuditRow;
  shouldRender: boolean;
  brandNames: readonly string[];
  getPermission: Permissions;
  /** Digest of all inputs of page checks; detects whether earlier findings apply. */
  basisDigest: string;
  previousRun: Awaited<ReturnType<typeof findPreviousRun>>;
}

export async function openAuditRun(crawl: Crawl, store: TenantStore, work: BackgroundWork): Promise<AuditRunContext> {
  const { collect, audit, brandId } = crawl;
  if (!audit) throw new Error("the site was not read before its pages");
  const { before: previousRun, names: brandNames } = await store.read(async (tenant) => ({
    before: await findPreviousRun(tenant, { ...collect, startedAt: audit.startedAt }),
    names: brandId === null ? [] : listBrandNames((await work.catalogs.load(tenant)).compiled, brandId),
  }));
  return {
    collectId: collect.id,
    audit,
    shouldRender: CrawlSettingsSchema.parse(crawl.setup).render,
    brandNames,
    getPermission: openPermissions(audit.site, { ...work, crawler: work.outside.crawler }),
    basisDigest: computeRunBasis(work.checker.checkRules.checksVersion, brandNames, audit.site),
    previousRun,
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
