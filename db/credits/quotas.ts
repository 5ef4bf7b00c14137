import { and, eq, inArray, isNull, ne, sql, type Placeholder, type SQL } from "drizzle-orm";
import { AppError } from "../../core/shared/errors.ts";
import { QUOTAS, quotaLimits, formatQuotaMessage, type Quota, type QuotaNumbers } from "../../core/credits/quotas.ts";
import { matches } from "../engine/rows.ts";
import { prepareQuery, type Db, type OrganizationTenant } from "../engine/store.ts";

type QuotaCounter = (of: QuotaOwner) => SQL<number>;

interface QuotaOwner {
  db: Db;
  organizationId: string | Placeholder;
}

/** Contents of archived workspaces count towards the quota. */
const QUOTA_COUNTERS: Record<Quota, QuotaCounter> = {
  workspaces: ({ db: { q, t }, organizationId: own }) =>
    q.$count(t.workspaces, matches(t.workspaces, { organizationId: own, archivedAt: null })),
  members: ({ db: { q, t }, organizationId: own }) =>
    q.$count(t.organizationMembers, eq(t.organizationMembers.organizationId, own)),
  brands: (tenant) =>
    tenant.db.q.$count(
      tenant.db.t.brands,
      and(inArray(tenant.db.t.brands.workspaceId, selectWorkspaces(tenant)), isNull(tenant.db.t.brands.archivedAt)),
    ),
  personas: (tenant) =>
    tenant.db.q.$count(tenant.db.t.personas, inArray(tenant.db.t.personas.workspaceId, selectWorkspaces(tenant))),
  analyses: ({ db: { q, t }, organizationId: own }) =>
    q.$count(t.analyses, and(eq(t.analyses.organizationId, own), ne(t.analyses.status, "archived"))),
  // Collects store their answer counts and sizes: counting answers would take seconds.
  answers: ({ db: { q, t }, organizationId: own }) =>
    sql<number>`(${q
      .select({ answers: sql`coalesce(sum(${t.collects.succeeded}), 0)` })
      .from(t.collects)
      .where(eq(t.collects.organizationId, own))})`,
  answer_bytes: ({ db: { q, t }, organizationId: own }) =>
    sql<number>`(${q
      .select({ bytes: sql`coalesce(sum(${t.collects.answerBytes}), 0)` })
      .from(t.collects)
      .where(eq(t.collects.organizationId, own))})`,
  tags: ({ db: { q, t }, organizationId: own }) => q.$count(t.tags, eq(t.tags.organizationId, own)),
  assets: ({ db: { q, t }, organizationId: own }) =>
    q.$count(t.assets, and(eq(t.assets.organizationId, own), ne(t.assets.status, "archived"))),
  asset_bytes: ({ db: { q, t }, organizationId: own }) => {
    const kept = and(eq(t.assets.organizationId, own), ne(t.assets.status, "archived"));
    return sql<number>`(${q
      .select({ bytes: sql`coalesce(sum(${t.assets.sizeBytes}), 0)` })
      .from(t.assets)
      .where(kept)})`;
  },
  content_briefs: (tenant) =>
    tenant.db.q.$count(
      tenant.db.t.contentBriefs,
      inArray(tenant.db.t.contentBriefs.workspaceId, selectWorkspaces(tenant)),
    ),
  // Rotated keys do not count, so that an organization at its limit can rotate keys.
  api_keys: ({ db: { q, t }, organizationId: own }) =>
    q.$count(t.apiKeys, matches(t.apiKeys, { organizationId: own, revokedAt: null, rotatedToId: null })),
};

/** For tables that are indexed by workspace only. */
function selectWorkspaces({ db: { q, t }, organizationId }: QuotaOwner) {
  return q.select({ id: t.workspaces.id }).from(t.workspaces).where(eq(t.workspaces.organizationId, organizationId));
}

/** Throws QUOTA_EXCEEDED. Call in the transaction that adds rows. */
export async function requireQuota(tenant: OrganizationTenant, quota: Quota, adding = 1): Promise<void> {
  const refusal = (await findRemainingQuota(tenant, quota)).errorFor(adding);
  if (refusal) throw refusal;
}

const QUOTA_QUERIES = Object.fromEntries(QUOTAS.map((quota) => [quota, prepareQuotaQuery(quota)])) as Record<
  Quota,
  ReturnType<typeof prepareQuotaQuery>
>;

function prepareQuotaQuery(quota: Quota) {
  const organizationId = sql.placeholder("organizationId");
  return prepareQuery((db) => {
    const { organizations } = db.t;
    return db.q
      .select({
        plan: organizations.plan,
        quotas: organizations.quotas,
        used: QUOTA_COUNTERS[quota]({ db, organizationId }),
      })
      .from(organizations)
      .where(eq(organizations.id, organizationId));
  });
}

export interface RemainingQuota {
  errorFor(adding: number): AppError | undefined;
}

export async function findRemainingQuota(tenant: OrganizationTenant, quota: Quota): Promise<RemainingQuota> {
  const { db, organizationId } = tenant;
  const [row] = await QUOTA_QUERIES[quota](db, { organizationId });
  if (!row) throw new Error("Quota was checked for an organization that does not exist.");
  const limit = quotaLimits(row)[quota];
  const { used: usedAmount } = row;
  return {
    errorFor: (addedAmount) =>
      usedAmount + addedAmount > limit
        ? new AppError("QUOTA_EXCEEDED", formatQuotaMessage(quota, { limit, usedAmount, addedAmount }))
        : undefined,
  };
}

export async function countQuotaUse(tenant: OrganizationTenant): Promise<QuotaNumbers> {
  const { q, t } = tenant.db;
  const counts = Object.fromEntries(QUOTAS.map((quota) => [quota, QUOTA_COUNTERS[quota](tenant)])) as Record<
    Quota,
    SQL<number>
  >;
  const [row] = await q.select(counts).from(t.organizations).where(eq(t.organizations.id, tenant.organizationId));
  if (!row) throw new Error("Usage was counted for an organization that does not exist.");
  return row;
}
