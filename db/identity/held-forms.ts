import { and, desc, eq, inArray, like } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { above, deleteRows, findRow, matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

// What a person typed into a form that they had to sign in again for, and drafts of forms in steps. It belongs to them alone: no tenant applies.

export type HeldForm = typeof tables.heldForms.$inferSelect;

/** What a draft has in place of a path: no address is like it, so that no page takes one as a form that comes back. */
const DRAFT = "draft ";

/** Stores a form. Of one person's only the newest are kept, as many as `most`. */
export async function insertHeldForm(db: Db, form: HeldForm, most: number): Promise<void> {
  await db.q.insert(db.t.heldForms).values(form);
  await deleteOlder(db, form, "/", most);
}

/** Stores a draft of a form in steps, in place of what it was. `path` says what it is of. Of one person's the newest are kept. */
export async function putDraft(db: Db, { path, ...draft }: HeldForm, most: number): Promise<void> {
  const { q, t } = db;
  const { sealedFields, createdAt, expiresAt } = draft;
  await q
    .insert(t.heldForms)
    .values({ ...draft, path: DRAFT + path })
    .onConflictDoUpdate({ target: t.heldForms.secretHash, set: { sealedFields, createdAt, expiresAt } });
  await deleteOlder(db, draft, DRAFT, most);
}

/** A draft as it is now; undefined where it is over, of something else or another person's. */
export async function findDraft(
  { q, t }: Db,
  of: { secretHash: string; userId: string; path: string },
  now: Instant,
): Promise<HeldForm | undefined> {
  return findRow(q, t.heldForms, {
    secretHash: of.secretHash,
    userId: of.userId,
    path: DRAFT + of.path,
    expiresAt: above(now),
  });
}

/** Of one person's, those whose paths begin so: the newest stay. */
async function deleteOlder({ q, t }: Db, form: { userId: string }, begin: string, most: number): Promise<void> {
  const older = q
    .select({ secretHash: t.heldForms.secretHash })
    .from(t.heldForms)
    .where(and(eq(t.heldForms.userId, form.userId), like(t.heldForms.path, `${begin}%`)))
    .orderBy(desc(t.heldForms.createdAt), desc(t.heldForms.secretHash))
    .limit(1000)
    .offset(most);
  await deleteRows(q, t.heldForms, inArray(t.heldForms.secretHash, older));
}

/** Takes a form of this page out of the store, so that it comes back once; undefined if it is over or another person's. */
export async function takeHeldForm(
  { q, t }: Db,
  of: { secretHash: string; userId: string; path: string },
  now: Instant,
): Promise<HeldForm | undefined> {
  const [row] = await q
    .delete(t.heldForms)
    .where(matches(t.heldForms, { secretHash: of.secretHash, userId: of.userId, path: of.path }))
    .returning();
  return row && row.expiresAt > now ? row : undefined;
}

export function heldFormPlace(secretHash: string): string {
  return `held_forms/${secretHash}/fields`;
}
