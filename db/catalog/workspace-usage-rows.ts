import { and, asc, eq, gte, inArray, max, ne, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { matches } from "../engine/rows.ts";
import type { OrganizationTenant } from "../engine/store.ts";

/** Answers come from the counters of collects. */
export async function listWorkspaceUsageRows(
  { db: { q, t }, organizationId }: OrganizationTenant,
  workspaceIds: readonly string[],
  since: Instant,
) {
  const workspaceId = t.workspaces.id;
  const spent = q
    .select({
      workspaceId: t.ledgerEntries.workspaceId,
      credits: sql<number>`-sum(${t.ledgerEntries.reservedDelta})`.as("credits"),
    })
    .from(t.ledgerEntries)
    .where(and(matches(t.ledgerEntries, { organizationId, kind: "spend" }), gte(t.ledgerEntries.createdAt, since)))
    .groupBy(t.ledgerEntries.workspaceId)
    .as("spent");
  const collected = q
    .select({
      workspaceId: t.analyses.workspaceId,
      // For an audit, `succeeded` counts pages.
      answers: sql<number>`sum(${t.collects.succeeded}) filter (where ${t.analyses.type} <> 'geo_audit')`.as("answers"),
      lastCollectAt: max(t.collects.finishedAt).as("last_collect_at"),
    })
    .from(t.analyses)
    .innerJoin(t.collects, eq(t.collects.analysisId, t.analyses.id))
    .where(inArray(t.analyses.workspaceId, [...workspaceIds]))
    .groupBy(t.analyses.workspaceId)
    .as("collected");
  return q
    .select({
      workspaceId,
      name: t.workspaces.name,
      archivedAt: t.workspaces.archivedAt,
      brands: q.$count(t.brands, eq(t.brands.workspaceId, workspaceId)),
      personas: q.$count(t.personas, eq(t.personas.workspaceId, workspaceId)),
      analyses: q.$count(t.analyses, and(eq(t.analyses.workspaceId, workspaceId), ne(t.analyses.status, "archived"))),
      tags: q.$count(t.tags, matches(t.tags, { organizationId, workspaceId })),
      assets: q.$count(t.assets, and(eq(t.assets.workspaceId, workspaceId), ne(t.assets.status, "archived"))),
      contentBriefs: q.$count(t.contentBriefs, eq(t.contentBriefs.workspaceId, workspaceId)),
      answers: sql<number>`coalesce(${collected.answers}, 0)`,
      lastCollectAt: collected.lastCollectAt,
      spentCredits: sql<number>`coalesce(${spent.credits}, 0)`,
    })
    .from(t.workspaces)
    .leftJoin(collected, eq(collected.workspaceId, workspaceId))
    .leftJoin(spent, eq(spent.workspaceId, workspaceId))
    .where(and(eq(t.workspaces.organizationId, organizationId), inArray(workspaceId, [...workspaceIds])))
    .orderBy(asc(workspaceId));
}
