import { PAGE_CHECKS, SITE_CHECKS } from "../../../core/audits/checks.ts";
import { registrableDomain } from "../../../core/identity/domains.ts";
import { comparableUrl } from "../../../core/reading/citations.ts";
import { mendingEffect, type AuditedRun } from "../../../core/actions/audit-effect.ts";
import { withFinding } from "../../../core/actions/rules/audit-rule.ts";
import type { AuditView } from "../../../core/actions/audit-view.ts";
import { recommendMending, type Recommendation } from "../../../core/actions/recommend.ts";
import {
  isOfCompetitor,
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

export async function concludeAudit(tenant: Tenant, analysis: AnalysisRow) {
  const [newest, ...earlier] = await listAuditRuns(tenant, analysis.id);
  if (!newest) return undefined;
  const audits = await listBrandAudits(tenant);
  const owner = audits.find(({ id }) => id === analysis.id);
  const pages = await listRunPages(tenant, newest.id);
  // Findings on a competitor's page lead to no recommendation.
  const isOwn = owner === undefined || !isOfCompetitor(owner);
  const found = isOwn ? await findMending(tenant, { newest, pages, audits, own: owner?.brand ?? analysis.name }) : [];
  const collectionMethods: CollectionMethod[] = newest.isSimulated ? ["simulated"] : [];
  return {
    analysis,
    latest: { ...newest, collectionMethods },
    found,
    effects: await measureMending(tenant, analysis.id, { newest, pages, earlier }),
  };
}

async function findMending(
  tenant: Tenant,
  run: { newest: AuditRun; pages: readonly RunPage[]; audits: readonly BrandAudit[]; own: string },
): Promise<Recommendation[]> {
  const { newest, pages, audits, own } = run;
  const rivals = await listRivalPages(tenant, audits);
  const domains = new Set([...pages, ...rivals].map(({ url }) => registrableDomain(url)));
  const collectIds = (await listNewestCollects(tenant)).map(({ id }) => id);
  const uses = await readPageUses(tenant, { collectIds, domains: [...domains] });
  const used = <Page extends RunPage>(page: Page) => ({ ...NOT_USED, ...uses.get(comparableUrl(page.url)), ...page });
  const view: AuditView = {
    collectId: newest.id,
    domain: registrableDomain(pages[0]?.url ?? ""),
    checks: { page: PAGE_CHECKS, site: SITE_CHECKS },
    pages: pages.map(used),
    siteFindings: newest.findings,
    rivals: rivals.map(used),
  };
  return withFindings(tenant, recommendMending(view, own), { collectId: newest.id, pages });
}

const NOT_USED: PageUse = { citedIn: 0, readFor: 0 };

async function withFindings(
  tenant: Tenant,
  found: readonly Recommendation[],
  { collectId, pages }: { collectId: string; pages: readonly RunPage[] },
): Promise<Recommendation[]> {
  const own = new Set(pages.map(({ id }) => id));
  const named = found.flatMap(({ evidence }) => evidence.flatMap(({ audit }) => audit?.page_id ?? []));
  const findings = await readFindings(
    tenant,
    collectId,
    [...new Set(named)].filter((id) => own.has(id)),
  );
  return found.map((one) => ({
    ...one,
    evidence: one.evidence.map((row) => {
      const ofPage = findings.get(row.audit?.page_id ?? "");
      return withFinding(
        row,
        ofPage?.find(({ check }) => check === row.audit?.check),
      );
    }),
  }));
}

async function measureMending(
  tenant: Tenant,
  analysisId: string,
  { newest, pages, earlier }: { newest: AuditRun; pages: readonly RunPage[]; earlier: readonly AuditRun[] },
) {
  const tasks = await listUnmeasuredTasks(tenant, analysisId);
  const due = tasks.filter(({ implementedAt }) => (newest.startedAt ?? newest.createdAt) > implementedAt);
  const runs = new Map<string, AuditedRun>();
  const effects = [];
  for (const { subject, baseline, ...task } of due) {
    const id = baseline.measured.collect_id;
    const run = earlier.find((one) => one.id === id);
    if (run && !runs.has(id)) runs.set(id, runOf(run, await listRunPages(tenant, id)));
    const before = runs.get(id);
    const sides = { now: runOf(newest, pages), ...(before ? { before } : {}) };
    effects.push({ task, effect: mendingEffect(subject, baseline, sides) });
  }
  return effects;
}

function runOf({ id, number, findings }: AuditRun, pages: readonly RunPage[]): AuditedRun {
  return { id, number, pages, siteFindings: findings };
}
