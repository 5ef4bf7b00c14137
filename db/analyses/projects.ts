import { and, asc, eq, isNotNull, or, ne } from "drizzle-orm";
import { PROMPTING_TYPES, MEASURED_STATUSES } from "../../core/analyses/analysis.ts";
import type { Page } from "../../core/shared/pagination.ts";
import { findCatalogVersion } from "../catalog/brands.ts";
import { greaterThan, matches, pick } from "../engine/rows.ts";
import type { OrganizationTenant, Tenant } from "../engine/store.ts";
import { listCompetitorIds } from "./analyses.ts";
import { findLastPosition } from "./prompt-clusters.ts";

// A project of the search-metrics API is a search or brand analysis.

export async function listVisibleProjects(
  { db: { q, t }, organizationId }: OrganizationTenant,
  { userId, workspaceId }: { userId: string; workspaceId: string | null },
  page: Page,
) {
  const { organizationMembers: members, workspaceMembers, workspaces } = t;
  return q
    .select({ analysis: t.analyses, brand: pick(t.brands, "id", "name") })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .innerJoin(workspaces, eq(workspaces.id, t.analyses.workspaceId))
    .innerJoin(members, matches(members, { organizationId, userId, suspendedAt: null }))
    .leftJoin(workspaceMembers, matches(workspaceMembers, { workspaceId: workspaces.id, userId }))
    .where(
      and(
        matches(t.analyses, { organizationId, type: PROMPTING_TYPES, id: greaterThan(page.after?.[0]) }),
        or(ne(members.role, "guest"), isNotNull(workspaceMembers.role)),
        matches(workspaces, { archivedAt: null, id: workspaceId ?? undefined }),
      ),
    )
    .orderBy(asc(t.analyses.id))
    .limit(page.limit + 1);
}

/** Oldest first, without archived ones. */
export async function listWorkspaceProjects(
  { db: { q, t }, workspaceId }: Tenant,
  types: readonly (typeof PROMPTING_TYPES)[number][] = PROMPTING_TYPES,
) {
  return q
    .select({ ...pick(t.analyses, "id", "name", "type"), brandId: t.brands.id })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .where(and(matches(t.analyses, { workspaceId, type: types }), ne(t.analyses.status, "archived")))
    .orderBy(asc(t.analyses.id));
}

export async function findProject({ db: { q, t }, workspaceId }: Tenant, projectId: string) {
  const [row] = await q
    .select({ id: t.analyses.id, brandId: t.brands.id, setup: t.analyses.setup })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .where(matches(t.analyses, { id: projectId, workspaceId, type: PROMPTING_TYPES }));
  return row;
}

export async function listComparedBrandIds(tenant: Tenant, { id, brandId }: { id: string; brandId: string }) {
  return [brandId, ...(await listCompetitorIds(tenant, id))];
}

export type BrandName = Awaited<ReturnType<typeof listBrandNames>>[number];

const BYTES_PER_BRAND = 500;

export async function listBrandNames(tenant: Tenant) {
  const { db, workspaceId } = tenant;
  const { q, t } = db;
  return db.cache.get(`brands ${workspaceId} ${await findCatalogVersion(tenant)}`, async () => {
    const brands = await q
      .select(pick(t.brands, "id", "number", "name", "nameFolded", "parentId", "relationship"))
      .from(t.brands)
      .where(matches(t.brands, { workspaceId, archivedAt: null }));
    return { value: brands, bytes: brands.length * BYTES_PER_BRAND };
  });
}

export async function listBrandDomains(tenant: Tenant): Promise<ReadonlyMap<string, string[]>> {
  const { db, workspaceId } = tenant;
  const { q, t } = db;
  return db.cache.get(`domains ${workspaceId} ${await findCatalogVersion(tenant)}`, async () => {
    const brands = await q
      .select(pick(t.brands, "id", "domains"))
      .from(t.brands)
      .where(matches(t.brands, { workspaceId, archivedAt: null }));
    return { value: new Map(brands.map((row) => [row.id, row.domains])), bytes: brands.length * BYTES_PER_BRAND };
  });
}

export async function listCatalogBrands({ db: { q, t }, workspaceId }: Tenant) {
  return q
    .select(pick(t.brands, "id", "number", "name", "nameFolded", "kind", "parentId", "relationship", "domains"))
    .from(t.brands)
    .where(matches(t.brands, { workspaceId, archivedAt: null }))
    .orderBy(asc(t.brands.nameFolded), asc(t.brands.id));
}

export async function listMeasuredSources({ db: { q, t } }: Tenant, projectId: string) {
  return q
    .selectDistinct({ source: t.collectFacts.source })
    .from(t.collects)
    .innerJoin(t.collectFacts, eq(t.collectFacts.collectId, t.collects.id))
    .where(matches(t.collects, { analysisId: projectId, status: MEASURED_STATUSES }))
    .orderBy(asc(t.collectFacts.source));
}

/** Cached by last question position, because keywords are only ever added. */
export async function readKeywordTraits({ db }: Tenant, projectId: string) {
  const key = `keyword traits ${projectId} ${await findLastPosition(db, projectId)}`;
  return db.cache.get(key, async () => {
    const { questions } = db.t;
    const value = await db.q
      .selectDistinct(pick(questions, "type", "funnelStage", "personaId"))
      .from(questions)
      .where(eq(questions.analysisId, projectId));
    return { value, bytes: key.length + value.length * BYTES_PER_TRAIT };
  });
}

const BYTES_PER_TRAIT = 200;

export async function listProjectPersonas({ db: { q, t }, workspaceId }: Tenant, ids: readonly string[]) {
  return q
    .select({ id: t.personas.id, name: t.personas.name })
    .from(t.personas)
    .where(matches(t.personas, { workspaceId, id: ids }))
    .orderBy(asc(t.personas.name), asc(t.personas.id));
}
