import { PAGE_CHECKS, SITE_CHECKS } from "../../../core/audits/checks.ts";
import { registrableDomain } from "../../../core/identity/domains.ts";
import { toComparableUrl } from "../../../core/reading/citations.ts";
import { measureAuditEffect, type AuditedRun } from "../../../core/actions/audit-effect.ts";
import { addFindingDetails } from "../../../core/actions/rules/audit-rule.ts";
import type { AuditView } from "../../../core/actions/audit-view.ts";
import { recommendFixes, type Recommendation } from "../../../core/actions/recommend.ts";
import {
  isCompetitorAudit,
  listAuditRuns,
  listBrandAudits,
  listRivalPages,
  listRunPages,
  readFindings,
  readPageUses,
  type AuditRun,
  type BrandAudit,
  type PageUse,
  type RunPage,
} from "../../../db/actions/audit-facts.ts";
import type { CollectionMethod } from "../../../core/sources/sources.ts";
import { listUnmeasuredTasks } from "../../../db/actions/store-recommendations.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import { listNewestCollects } from "../../../tools/metric-reads/selection/latest-collects.ts";

export async function recommendFromAudit(tenant: Tenant, analysis: AnalysisRow) {
  const [latestRun, ...earlierRuns] = await listAuditRuns(tenant, analysis.id);
  if (!latestRun) return undefined;
  const brandAudits = await listBrandAudits(tenant);
  const owner = brandAudits.find(({ id }) => id === analysis.id);
  const pages = await listRunPages(tenant, latestRun.id);
  // Findings on a competitor's page lead to no recommendation.
  const isOwn = owner === undefined || !isCompetitorAudit(owner);
  const found = isOwn
    ? await findFixes(tenant, { latestRun, pages, brandAudits, own: owner?.brand ?? analysis.name })
    : [];
  const collectionMethods: CollectionMethod[] = latestRun.isSimulated ? ["simulated"] : [];
  return {
    analysis,
    latest: { ...latestRun, collectionMethods },
    found,
    effects: await measureFixes(tenant, analysis.id, { latestRun, pages, earlierRuns }),
  };
}

async function findFixes(
  tenant: Tenant,
  run: { latestRun: AuditRun; pages: readonly RunPage[]; brandAudits: readonly BrandAudit[]; own: string },
): Promise<Recommendation[]> {
  const { latestRun, pages, brandAudits, own } = run;
  const rivals = await listRivalPages(tenant, brandAudits);
  const domains = new Set([...pages, ...rivals].map(({ url }) => registrableDomain(url)));
  const collectIds = (await listNewestCollects(tenant)).map(({ id }) => id);
  const uses = await readPageUses(tenant, { collectIds, domains: [...domains] });
  const used = <Page extends RunPage>(page: Page) => ({ ...NO_USE, ...uses.get(toComparableUrl(page.url)), ...page });
  const view: AuditView = {
    collectId: latestRun.id,
    domain: registrableDomain(pages[0]?.url ?? ""),
    checks: { page: PAGE_CHECKS, site: SITE_CHECKS },
    pages: pages.map(used),
    siteFindings: latestRun.findings,
    rivalPages: rivals.map(used),
  };
  return addFindings(tenant, recommendFixes(view, own), { collectId: latestRun.id, pages });
}

const NO_USE: PageUse = { citedIn: 0, readFor: 0 };

async function addFindings(
  tenant: Tenant,
  recommendations: readonly Recommendation[],
  { collectId, pages }: { collectId: string; pages: readonly RunPage[] },
): Promise<Recommendation[]> {
  const own = new Set(pages.map(({ id }) => id));
  const names = recommendations.flatMap(({ evidence }) => evidence.flatMap(({ audit }) => audit?.page_id ?? []));
  const findings = await readFindings(
    tenant,
    collectId,
    [...new Set(names)].filter((id) => own.has(id)),
  );
  return recommendations.map((recommendation) => ({
    ...recommendation,
    evidence: recommendation.evidence.map((row) => {
      const ofPage = findings.get(row.audit?.page_id ?? "");
      return addFindingDetails(
        row,
        ofPage?.find(({ check }) => check === row.audit?.check),
      );
    }),
  }));
}

async function measureFixes(
  tenant: Tenant,
  analysisId: string,
  {
    latestRun,
    pages,
    earlierRuns,
  }: { latestRun: AuditRun; pages: readonly RunPage[]; earlierRuns: readonly AuditRun[] },
) {
  const tasks = await listUnmeasuredTasks(tenant, analysisId);
  const due = tasks.filter(({ implementedAt }) => (latestRun.startedAt ?? latestRun.createdAt) > implementedAt);
  const runs = new Map<string, AuditedRun>();
  const effects = [];
  for (const { subject, baseline, ...task } of due) {
    const id = baseline.measured.collect_id;
    const run = earlierRuns.find((one) => one.id === id);
    if (run && !runs.has(id)) runs.set(id, toAuditedRun(run, await listRunPages(tenant, id)));
    const before = runs.get(id);
    const sides = { now: toAuditedRun(latestRun, pages), ...(before ? { before } : {}) };
    effects.push({ task, effect: measureAuditEffect(subject, baseline, sides) });
  }
  return effects;
}

function toAuditedRun({ id, number: runNumber, findings }: AuditRun, pages: readonly RunPage[]): AuditedRun {
  return { id, runNumber, pages, siteFindings: findings };
}
