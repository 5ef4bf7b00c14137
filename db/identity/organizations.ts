import { and, asc, eq } from "drizzle-orm";
import { acceptsSignIn, type AccountReader } from "./access.ts";
import type { Page } from "../../core/shared/pagination.ts";
import { changeRow, upsertRow } from "../engine/change-row.ts";
import { greaterThan, findRow, matches } from "../engine/rows.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type OrganizationRow = typeof tables.organizations.$inferSelect;

/** `only` is the organization that the caller's key is bound to. */
export async function listUserOrganizations(db: Db, reader: AccountReader, only: string | null, page: Page) {
  const { q, t } = db;
  return q
    .select({ organization: t.organizations, role: t.organizationMembers.role })
    .from(t.organizationMembers)
    .innerJoin(t.organizations, eq(t.organizations.id, t.organizationMembers.organizationId))
    .where(
      and(
        matches(t.organizationMembers, { userId: reader.userId, suspendedAt: null }),
        acceptsSignIn(db, reader),
        only === null ? undefined : eq(t.organizations.id, only),
        matches(t.organizations, { id: greaterThan(page.after?.[0]) }),
      ),
    )
    .orderBy(asc(t.organizations.id))
    .limit(page.limit + 1);
}

export async function listAllOrganizations({ q, t }: Db): Promise<OrganizationRow[]> {
  return q.select().from(t.organizations).orderBy(asc(t.organizations.id));
}

export async function findOrganization({ db: { q, t }, organizationId }: OrganizationTenant) {
  return findRow(q, t.organizations, { id: organizationId });
}

export async function updateOrganization(
  { db, organizationId }: OrganizationTenant,
  change: {
    [C in "name" | "quotas" | "monthlyCreditCap" | "approvalAboveCredits" | "ownersNeedSecondFactor"]?:
      | OrganizationRow[C]
      | undefined;
  },
): Promise<OrganizationRow | undefined> {
  const { organizations: table } = db.t;
  const { row } = await changeRow(db, { table, where: eq(table.id, organizationId), change });
  return row;
}

/** Also adds the first owner and an empty credit balance. */
export async function insertOrganization(
  { q, t }: Db,
  organization: typeof tables.organizations.$inferInsert,
  ownerId: string | null,
): Promise<void> {
  const { id: organizationId, createdAt } = organization;
  await q.insert(t.organizations).values(organization);
  await q.insert(t.creditBalances).values({ organizationId, available: 0, reserved: 0 });
  if (ownerId === null) return;
  await q.insert(t.organizationMembers).values({ organizationId, userId: ownerId, role: "owner", createdAt });
}

/** Includes suspended memberships. */
export async function findMembership({ db: { q, t }, organizationId }: OrganizationTenant, userId: string) {
  const [row] = await q
    .select({ role: t.organizationMembers.role, suspendedAt: t.organizationMembers.suspendedAt })
    .from(t.organizationMembers)
    .where(matches(t.organizationMembers, { organizationId, userId }));
  return row;
}

export async function insertMember(
  { db, organizationId }: OrganizationTenant,
  { role, ...member }: Omit<typeof tables.organizationMembers.$inferInsert, "organizationId">,
): Promise<void> {
  const { organizationMembers: table } = db.t;
  const where = matches(table, { organizationId, userId: member.userId });
  await upsertRow(db, { table, where, key: { ...member, organizationId }, change: { role } });
}
