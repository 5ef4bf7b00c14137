import { and, asc, eq, gt, isNotNull, ne, or, sql } from "drizzle-orm";
import type { FavouriteKind } from "../../core/identity/favourites.ts";
import { requiredSecondFactorCondition, acceptsSignIn, type AccountReader } from "./access.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import { upsertRow } from "../engine/change-row.ts";
import { greaterThan, deleteRows, matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

// Favourites belong to a user, so no tenant applies; queries return only what the user can see now.

export interface FavouriteSubject {
  kind: FavouriteKind;
  subjectId: string;
  organizationId: string;
  workspaceId: string;
  name: string;
}

export type FavouriteRow = FavouriteSubject & { createdAt: Instant };

/** Guests see only workspaces in which they have a role. */
function selectVisibleWorkspaces(db: Db, { userId, ...credentialReach }: AccountReader) {
  const { q, t } = db;
  const inWorkspace = matches(t.workspaceMembers, { workspaceId: t.workspaces.id, userId });
  return q
    .select({ workspaceId: sql<string>`${t.workspaces.id}`.as("seen_workspace_id") })
    .from(t.organizationMembers)
    .innerJoin(t.workspaces, eq(t.workspaces.organizationId, t.organizationMembers.organizationId))
    .leftJoin(t.workspaceMembers, inWorkspace)
    .where(
      and(
        matches(t.organizationMembers, { userId, suspendedAt: null }),
        acceptsSignIn(db, credentialReach),
        requiredSecondFactorCondition(db, credentialReach),
        or(ne(t.organizationMembers.role, "guest"), isNotNull(t.workspaceMembers.role)),
      ),
    )
    .as("seen");
}

export async function findFavouriteSubject(
  db: Db,
  reader: AccountReader,
  id: string,
): Promise<FavouriteSubject | undefined> {
  const { q, t } = db;
  const visible = selectVisibleWorkspaces(db, reader);
  const [row] = await q
    .select({
      organizationId: t.workspaces.organizationId,
      workspaceId: t.workspaces.id,
      workspaceName: t.workspaces.name,
      analysisName: t.analyses.name,
    })
    .from(visible)
    .innerJoin(t.workspaces, eq(t.workspaces.id, visible.workspaceId))
    .leftJoin(t.analyses, matches(t.analyses, { id, workspaceId: t.workspaces.id }))
    .where(or(eq(t.workspaces.id, id), isNotNull(t.analyses.id)))
    .limit(1);
  if (!row) return undefined;
  const { organizationId, workspaceId, workspaceName, analysisName } = row;
  const kind = analysisName === null ? "workspace" : "analysis";
  return { kind, subjectId: id, organizationId, workspaceId, name: analysisName ?? workspaceName };
}

export async function listFavourites(db: Db, reader: AccountReader, kind: FavouriteKind | undefined, page: Page) {
  const { q, t } = db;
  const { favourites: own } = t;
  const visible = selectVisibleWorkspaces(db, reader);
  const [at, id] = page.after ?? [];
  const rows = await q
    .select({ favourite: own, workspaceName: t.workspaces.name, analysisName: t.analyses.name })
    .from(own)
    .innerJoin(visible, eq(visible.workspaceId, own.workspaceId))
    .innerJoin(t.workspaces, eq(t.workspaces.id, own.workspaceId))
    .leftJoin(t.analyses, eq(t.analyses.id, own.subjectId))
    .where(
      and(
        matches(own, { userId: reader.userId, kind }),
        at === undefined || id === undefined
          ? undefined
          : or(gt(own.createdAt, at), matches(own, { createdAt: at, subjectId: greaterThan(id) })),
      ),
    )
    .orderBy(asc(own.createdAt), asc(own.subjectId))
    .limit(page.limit + 1);
  return rows.map(({ favourite, workspaceName, analysisName }) => ({
    ...favourite,
    name: analysisName ?? workspaceName,
  }));
}

/** An existing favourite keeps its position. */
export async function insertFavourite(
  db: Db,
  userId: string,
  { favourite, at }: { favourite: FavouriteSubject; at: Instant },
): Promise<void> {
  const { kind, subjectId, organizationId, workspaceId } = favourite;
  const { favourites: table } = db.t;
  const where = matches(table, { userId, subjectId });
  const key = { userId, subjectId, createdAt: at };
  await upsertRow(db, { table, where, key, change: { kind, organizationId, workspaceId } });
}

export async function deleteFavourite({ q, t }: Db, userId: string, subjectId: string): Promise<boolean> {
  return deleteRows(q, t.favourites, { userId, subjectId });
}
