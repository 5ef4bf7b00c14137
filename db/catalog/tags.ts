import { and, asc, countDistinct, desc, eq, gt, gte, inArray, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import type { Named } from "../../core/shared/names.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import { alias } from "../engine/columns.ts";
import { changeRow } from "../engine/change-row.ts";
import { deleteRows, matches, pick, updateRows } from "../engine/rows.ts";
import type { Db, OrganizationTenant, Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

/** A null `workspaceId` stands for the organization itself. */
export interface TagScope extends OrganizationTenant {
  workspaceId: string | null;
}

export type TagRow = typeof tables.tags.$inferSelect & { analysesCount: number; assetsCount: number };

function scopeCondition({ db: { t }, organizationId, workspaceId }: TagScope): SQL | undefined {
  return and(
    eq(t.tags.organizationId, organizationId),
    workspaceId === null ? isNull(t.tags.workspaceId) : eq(t.tags.workspaceId, workspaceId),
  );
}

function siblingCondition(space: TagScope, parentId: string | null): SQL | undefined {
  const { tags } = space.db.t;
  return and(scopeCondition(space), parentId === null ? isNull(tags.parentId) : eq(tags.parentId, parentId));
}

/** Counts include child tags; an analysis or asset with several of them counts once. */
function buildTagColumns({ q, t }: Db) {
  const child = alias(t.tags, "child");
  const children = q.select({ id: child.id }).from(child).where(eq(child.parentId, t.tags.id));
  const { tagId, analysisId } = t.analysisTags;
  const analyses = q
    .select({ count: countDistinct(analysisId) })
    .from(t.analysisTags)
    .where(or(eq(tagId, t.tags.id), inArray(tagId, children)));
  const assets = q
    .select({ count: countDistinct(t.assetTags.assetId) })
    .from(t.assetTags)
    .innerJoin(t.assets, eq(t.assets.id, t.assetTags.assetId))
    .where(
      and(
        or(eq(t.assetTags.tagId, t.tags.id), inArray(t.assetTags.tagId, children)),
        // Archived assets appear in no list and no count.
        ne(t.assets.status, "archived"),
      ),
    );
  return {
    ...pick(t.tags, "id", "organizationId", "workspaceId", "parentId", "name", "color", "position"),
    ...pick(t.tags, "createdAt", "updatedAt"),
    analysesCount: sql<number>`${analyses}`,
    assetsCount: sql<number>`${assets}`,
  };
}

export async function findTag(space: TagScope, id: string): Promise<TagRow | undefined> {
  const { q, t } = space.db;
  const [row] = await q
    .select(buildTagColumns(space.db))
    .from(t.tags)
    .where(and(scopeCondition(space), eq(t.tags.id, id)));
  return row;
}

/** Starts at the current position of the cursor's tag, so concurrent changes leave no gap. */
export async function listTopTags(space: TagScope, page: Page): Promise<TagRow[]> {
  const { q, t } = space.db;
  const [id, place] = page.after ?? [];
  const last = alias(t.tags, "last");
  const stands = q
    .select({ position: last.position })
    .from(last)
    .where(matches(last, { id: id ?? "", parentId: null }));
  return q
    .select(buildTagColumns(space.db))
    .from(t.tags)
    .where(
      and(
        siblingCondition(space, null),
        // If the last tag was deleted, its successor has taken its position.
        id === undefined ? undefined : sql`${t.tags.position} > coalesce(${stands}, ${Number(place) - 1})`,
      ),
    )
    .orderBy(asc(t.tags.position), asc(t.tags.id))
    .limit(page.limit + 1);
}

export async function listChildTags({ db, organizationId }: OrganizationTenant, parentIds: readonly string[]) {
  const { tags } = db.t;
  if (parentIds.length === 0) return [];
  return db.q
    .select(buildTagColumns(db))
    .from(tags)
    .where(matches(tags, { organizationId, parentId: parentIds }))
    .orderBy(asc(tags.parentId), asc(tags.position), asc(tags.id));
}

/** Tags of the workspace and of its organization. */
export async function listUsableTags(tenant: Tenant, ids: readonly string[]): Promise<TagRow[]> {
  const { q, t } = tenant.db;
  if (ids.length === 0) return [];
  return q
    .select(buildTagColumns(tenant.db))
    .from(t.tags)
    .where(
      and(inArray(t.tags.id, [...ids]), or(scopeCondition(tenant), scopeCondition({ ...tenant, workspaceId: null }))),
    )
    .orderBy(asc(t.tags.id));
}

export interface NewTag {
  id: string;
  parentId: string | null;
  name: string;
  color: string | null;
  createdAt: Instant;
}

export async function insertTag(space: TagScope, { createdAt, ...tag }: NewTag): Promise<TagRow> {
  const { organizationId, workspaceId } = space;
  const { tags } = space.db.t;
  // Counts siblings by the last position, since positions have no gaps.
  const [last] = await space.db.q
    .select({ position: tags.position })
    .from(tags)
    .where(matches(tags, { organizationId, workspaceId, parentId: tag.parentId }))
    .orderBy(desc(tags.position))
    .limit(1);
  const position = (last?.position ?? -1) + 1;
  const row = { ...tag, organizationId, workspaceId, position, createdAt, updatedAt: createdAt };
  await space.db.bulkInsert(space.db.t.tags, [row]);
  return { ...row, analysesCount: 0, assetsCount: 0 };
}

type TagChange = { [C in "name" | "color" | "parentId" | "position"]?: TagRow[C] | undefined } & {
  updatedAt: Instant;
};

export async function updateTag(space: TagScope, id: string, { updatedAt, ...change }: TagChange): Promise<void> {
  const { tags: table } = space.db.t;
  const where = and(scopeCondition(space), eq(table.id, id));
  await changeRow(space.db, { table, where, change, also: { updatedAt } });
}

/** Moves to the end if the position is out of range. Positions stay without gaps. */
export async function moveTag(
  space: TagScope,
  tag: TagRow,
  to: { parentId: string | null; position: number; movedAt: Instant },
): Promise<void> {
  const { q, t } = space.db;
  const others = and(siblingCondition(space, to.parentId), ne(t.tags.id, tag.id));
  const position = Math.min(to.position, await q.$count(t.tags, others));
  if (to.parentId === tag.parentId && position === tag.position) return;
  await closeGap(space, tag);
  await updateRows(q, t.tags, and(others, gte(t.tags.position, position)), { position: sql`${t.tags.position} + 1` });
  await updateTag(space, tag.id, { parentId: to.parentId, position, updatedAt: to.movedAt });
}

/** Also deletes child tags and all assignments. */
export async function deleteTag(space: TagScope, tag: TagRow): Promise<{ childCount: number }> {
  const { q, t } = space.db;
  const children = await q
    .delete(t.tags)
    .where(and(scopeCondition(space), eq(t.tags.parentId, tag.id)))
    .returning({ id: t.tags.id });
  await deleteRows(q, t.tags, and(scopeCondition(space), eq(t.tags.id, tag.id)));
  await closeGap(space, tag);
  return { childCount: children.length };
}

async function closeGap(space: TagScope, left: TagRow): Promise<void> {
  const { q, t } = space.db;
  await updateRows(q, t.tags, and(siblingCondition(space, left.parentId), gt(t.tags.position, left.position)), {
    position: sql`${t.tags.position} - 1`,
  });
}

export async function listTagNames({ db: { q, t }, organizationId, workspaceId }: Tenant): Promise<Named[]> {
  return q
    .select({ id: t.tags.id, name: t.tags.name })
    .from(t.tags)
    .where(
      and(
        eq(t.tags.organizationId, organizationId),
        or(isNull(t.tags.workspaceId), eq(t.tags.workspaceId, workspaceId)),
      ),
    )
    .orderBy(asc(t.tags.name), asc(t.tags.id));
}
