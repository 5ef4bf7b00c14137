import { and, count, eq, inArray, lt, sql } from "drizzle-orm";
import type { ExportFilter, ExportFilters } from "../../core/exports/exports.ts";
import type { Page } from "../../core/shared/pagination.ts";
import { toInstant, type Instant } from "../../core/shared/time.ts";
import { insertFileHold } from "../assets/file-holds.ts";
import { findRow, insertRow, listPage, matches, updateRows } from "../engine/rows.ts";
import type { OrganizationTenant, Db, Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type ExportRow = typeof tables.exports.$inferSelect;

export async function insertExport(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  asked: Pick<ExportRow, "id" | "what" | "format" | "filters" | "createdBy" | "createdByKey" | "createdAt">,
): Promise<ExportRow> {
  return insertRow(q, t.exports, { ...asked, organizationId, workspaceId, status: "queued", hasFile: false });
}

export async function listExports({ db: { q, t }, workspaceId }: Tenant, page: Page): Promise<ExportRow[]> {
  return listPage(q, t.exports, { where: { workspaceId }, ...page, isNewestFirst: true });
}

export async function findExport({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<ExportRow | undefined> {
  return findRow(q, t.exports, { id, workspaceId });
}

/** Not tenant-scoped: the caller has verified a signed link. */
export async function findLinkedExport({ q, t }: Db, id: string): Promise<ExportRow | undefined> {
  return findRow(q, t.exports, { id, hasFile: true });
}

export async function countExports({ db: { q, t }, organizationId }: OrganizationTenant) {
  const [counts] = await q
    .select({
      openCount: sql<number>`count(case when ${t.exports.status} in ('queued', 'running') then 1 end)`,
      storedCount: count(),
    })
    .from(t.exports)
    .where(eq(t.exports.organizationId, organizationId));
  return counts ?? { openCount: 0, storedCount: 0 };
}

export async function startExport({ db: { q, t } }: Tenant, id: string): Promise<void> {
  await updateRows(q, t.exports, { id }, { status: "running" });
}

/** Returns false if the export has completed or was deleted: discard the result then. */
export async function finishExport(
  { db: { q, t } }: Tenant,
  id: string,
  end: Partial<Pick<ExportRow, "failureReason" | "asOf" | "rows" | "sizeBytes" | "sha256" | "hasFile">> &
    Pick<ExportRow, "status"> & { finishedAt: Instant; expiresAt: Instant },
): Promise<boolean> {
  return updateRows(q, t.exports, { id, status: ["queued", "running"] }, end);
}

/** The next sweep deletes the file unless something else needs it. False for an unknown export. */
export async function deleteExport({ db, workspaceId }: Tenant, id: string): Promise<boolean> {
  const { exports } = db.t;
  const [gone] = await db.q
    .delete(exports)
    .where(matches(exports, { id, workspaceId }))
    .returning({ id: exports.id, sha256: exports.sha256 });
  if (gone) await releaseFile(db, gone);
  return gone !== undefined;
}

export async function deleteExpiredExports(db: Db, now: Instant, most: number): Promise<number> {
  const { q, t } = db;
  const expired = q.select({ id: t.exports.id }).from(t.exports).where(lt(t.exports.expiresAt, now)).limit(most);
  const gone = await q
    .delete(t.exports)
    .where(inArray(t.exports.id, expired))
    .returning({ id: t.exports.id, sha256: t.exports.sha256 });
  for (const one of gone) await releaseFile(db, one);
  return gone.length;
}

/** The oldest possible hold: the next sweep deletes the file unless it is needed. */
async function releaseFile(db: Db, { id, sha256 }: { id: string; sha256: string | null }): Promise<void> {
  if (sha256 !== null) await insertFileHold(db, { id, sha256, createdAt: toInstant(0) });
}

export async function listUnknownIds(
  { db: { q, t }, workspaceId }: Tenant,
  filter: Exclude<ExportFilter, "sources">,
  filters: ExportFilters,
): Promise<string[]> {
  const table = { analysis_ids: t.analyses, collect_ids: t.collects, brand_ids: t.brands }[filter];
  const ids = [...(filters[filter] ?? [])];
  if (ids.length === 0) return [];
  const found = await q
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), inArray(table.id, ids)));
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
