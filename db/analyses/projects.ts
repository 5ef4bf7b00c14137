import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { ASKING_TYPES, MEASURED_STATUSES } from "../../core/analyses/analysis.ts";
import type { Page } from "../../core/shared/page.ts";
import { findCatalogVersion } from "../catalog/brands.ts";
import { above, matches, pick } from "../engine/rows.ts";
import { prepared, type OrganizationTenant, type Tenant } from "../engine/store.ts";
import { findLastPosition } from "./prompt-clusters.ts";

// A project of the search-metrics interface is an analysis that asks sources: a search or a brand analysis.

const visible = prepared(({ q, t }) =>
  q
    .select({ analysis: t.analyses, brand: { id: t.brands.id, name: t.brands.name } })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .innerJoin(t.workspaces, eq(t.workspaces.id, t.analyses.workspaceId))
    .innerJoin(
      t.organizationMembers,
      matches(t.organizationMembers, {
        organizationId: t.analyses.organizationId,
        userId: sql.placeholder("userId"),
        suspendedAt: null,
      }),
    )
    .leftJoin(
      t.workspaceMembers,
      matches(t.workspaceMembers, { workspaceId: t.workspaces.id, userId: t.organizationMembers.userId }),
    )
    .where(
      and(
        matches(t.analyses, {
          organizationId: sql.placeholder("organizationId"),
          type: ASKING_TYPES,
          id: above(sql.placeholder("afterId")),
        }),
        or(sql`${t.organizationMembers.role} <> 'guest'`, isNotNull(t.workspaceMembers.role)),
        isNull(t.workspaces.archivedAt),
        or(sql`${sql.placeholder("workspaceId")} is null`, eq(t.workspaces.id, sql.placeholder("workspaceId"))),
      ),
    )
    .orderBy(asc(t.analyses.id))
    .limit(sql.placeholder("limit")),
);

export async function listProjectsOf(
  { db, organizationId }: OrganizationTenant,
  reader: { userId: string; workspaceId: string | null },
  page: Page,
) {
  return visible(db, { organizationId, ...reader, afterId: page.after?.[0] ?? "", limit: page.limit + 1 });
}

const project = prepared(({ q, t }) =>
  q
    .select({ id: t.analyses.id, brandId: t.brands.id, setup: t.analyses.setup })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .where(
      matches(t.analyses, {
        id: sql.placeholder("projectId"),
        workspaceId: sql.placeholder("workspaceId"),
        type: ASKING_TYPES,
      }),
    ),
);

export async function findProject({ db, workspaceId }: Tenant, projectId: string) {
  const [row] = await project(db, { projectId, workspaceId });
  return row;
}

const competitors = prepared(({ q, t }) =>
  q
    .select({ brandId: t.analysisCompetitors.brandId })
    .from(t.analysisCompetitors)
    .where(eq(t.analysisCompetitors.analysisId, sql.placeholder("projectId")))
    .orderBy(asc(t.analysisCompetitors.brandId)),
);

/** Ids of the brands that a project was set up to compare: its own first, then the others as they were created. */
export async function listComparedBrandIds({ db }: Tenant, { id, brandId }: { id: string; brandId: string }) {
  const rows = await competitors(db, { projectId: id });
  return [brandId, ...rows.map((row) => row.brandId)];
}

const catalog = prepared(({ q, t }) =>
  q
    .select(pick(t.brands, "id", "number", "name", "nameFolded", "kind", "parentId", "relationship", "domains"))
    .from(t.brands)
    .where(matches(t.brands, { workspaceId: sql.placeholder("workspaceId"), archivedAt: null }))
    .orderBy(asc(t.brands.nameFolded), asc(t.brands.id)),
);

const names = prepared(({ q, t }) =>
  q
    .select(pick(t.brands, "id", "number", "name", "nameFolded", "parentId", "relationship"))
    .from(t.brands)
    .where(matches(t.brands, { workspaceId: sql.placeholder("workspaceId"), archivedAt: null })),
);

export type BrandName = Awaited<ReturnType<typeof names>>[number];

const BYTES_OF_BRAND = 500;

export async function listBrandNames(tenant: Tenant): Promise<readonly BrandName[]> {
  const { db, workspaceId } = tenant;
  return db.kept.get(`brands ${workspaceId} ${await findCatalogVersion(tenant)}`, async () => {
    const brands = await names(db, { workspaceId });
    return { value: brands, bytes: brands.length * BYTES_OF_BRAND };
  });
}

const domains = prepared(({ q, t }) =>
  q
    .select({ id: t.brands.id, domains: t.brands.domains })
    .from(t.brands)
    .where(matches(t.brands, { workspaceId: sql.placeholder("workspaceId"), archivedAt: null })),
);

export async function listBrandDomains(tenant: Tenant): Promise<ReadonlyMap<string, string[]>> {
  const { db, workspaceId } = tenant;
  return db.kept.get(`domains ${workspaceId} ${await findCatalogVersion(tenant)}`, async () => {
    const brands = await domains(db, { workspaceId });
    return { value: new Map(brands.map((row) => [row.id, row.domains])), bytes: brands.length * BYTES_OF_BRAND };
  });
}

export async function listCatalogBrands({ db, workspaceId }: Tenant) {
  return catalog(db, { workspaceId });
}

export async function listAskedSources({ db: { q, t } }: Tenant, projectId: string) {
  return q
    .selectDistinct({ source: t.collectFacts.source })
    .from(t.collects)
    .innerJoin(t.collectFacts, eq(t.collectFacts.collectId, t.collects.id))
    .where(matches(t.collects, { analysisId: projectId, status: MEASURED_STATUSES }))
    .orderBy(asc(t.collectFacts.source));
}

/** What keywords of a project have; kept by its last keyword, as keywords are added and never changed. */
export async function readKeywordTraits({ db }: Tenant, projectId: string) {
  const key = `keyword traits ${projectId} ${await findLastPosition(db, projectId)}`;
  return db.kept.get(key, async () => {
    const value = await keywordTraits(db, { projectId });
    return { value, bytes: key.length + value.length * TRAITS_BYTES };
  });
}

const TRAITS_BYTES = 200;

const keywordTraits = prepared(({ q, t: { questions } }) =>
  q
    .selectDistinct({ type: questions.type, funnelStage: questions.funnelStage, personaId: questions.personaId })
    .from(questions)
    .where(eq(questions.analysisId, sql.placeholder("projectId"))),
);

export async function listPersonasOf({ db: { q, t }, workspaceId }: Tenant, ids: readonly string[]) {
  return q
    .select({ id: t.personas.id, name: t.personas.name })
    .from(t.personas)
    .where(matches(t.personas, { workspaceId, id: ids }))
    .orderBy(asc(t.personas.name), asc(t.personas.id));
}
