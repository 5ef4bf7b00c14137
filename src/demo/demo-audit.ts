import { BUNDLED_ORIGIN } from "../../core/audits/bundled-site.ts";
import { parseSitemap } from "../../core/audits/site-files/sitemap.ts";
import type { PriceTable } from "../../core/credits/prices.ts";
import type { Instant } from "../../core/shared/time.ts";
import { openCatalogCache } from "../../db/catalog/catalogs.ts";
import type { LedgerCause } from "../../db/credits/credits.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { geoAudit } from "../../tools/analyses/kinds/geo-audit/geo-audit.ts";
import { collectsCost } from "../../tools/collects/collect-cost.ts";
import { launchAnalysis } from "../../tools/analyses/launch-analysis.ts";
import type { SourceAdapters } from "../../core/sources/adapters.ts";
import { BUNDLED_SITEMAP } from "../outside/crawler/bundled-site.ts";
import { DEMO_AUDIT } from "./demo-content.ts";

interface DemoContext {
  ownerId: string;
  now: Instant;
  newId: () => string;
  prices: PriceTable;
  adapters: SourceAdapters;
  reserve: (tenant: Tenant, credits: number, cause: LedgerCause) => Promise<void>;
}

export async function insertSiteAudit(tenant: Tenant, demo: DemoContext): Promise<void> {
  const { ownerId: userId, now, newId, prices } = demo;
  const pages = parseSitemap(BUNDLED_SITEMAP).entries.map(({ url }) => url);
  const found = { pages, from: `${BUNDLED_ORIGIN}/sitemap.xml`, notes: [] };
  const schedule = { every: "once", at: "06:00", time_zone: "UTC" } as const;
  const given = { ...DEMO_AUDIT, website: BUNDLED_ORIGIN, schedule, found };
  const setup = await geoAudit.normalise(tenant, given, { now, catalogs: openCatalogCache(), adapters: demo.adapters });
  const cost = collectsCost(geoAudit, setup, demo);
  const id = newId();
  const note = `Reserved for the GEO audit ${setup.name}`;
  await demo.reserve(tenant, cost.total_credits, { id: newId(), at: now, note, analysisId: id, userId });
  const unitCredits = geoAudit.unitCredits(prices);
  await launchAnalysis(geoAudit, tenant, { id, setup, cost, unitCredits, userId, now, newId, startedCollectCount: 1 });
}
