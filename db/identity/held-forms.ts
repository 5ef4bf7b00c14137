import { and, desc, eq, inArray, like } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { greaterThan, deleteRows, findRow, matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

// Forms held during a new sign-in, and drafts. They belong to one user, so no tenant applies.

export type HeldForm = typeof tables.heldForms.$inferSelect;

/** No URL path starts like this, so a draft is never restored as a held form. */
const DRAFT_PATH_PREFIX = "draft ";

/** Keeps only the user's newest `most` forms. */
export async function insertHeldForm(db: Db, form: HeldForm, most: number): Promise<void> {
  await db.q.insert(db.t.heldForms).values(form);
  await deleteOlderForms(db, form, "/", most);
}

/** Replaces the stored draft. Keeps the user's newest `most` drafts. */
export async function saveDraft(db: Db, { path, ...draft }: HeldForm, most: number): Promise<void> {
  const { q, t } = db;
  const { sealedFields, createdAt, expiresAt } = draft;
  await q
    .insert(t.heldForms)
    .values({ ...draft, path: DRAFT_PATH_PREFIX + path })
    .onConflictDoUpdate({ target: t.heldForms.secretHash, set: { sealedFields, createdAt, expiresAt } });
  await deleteOlderForms(db, draft, DRAFT_PATH_PREFIX, most);
}

/** Undefined if expired or of another form or user. */
export async function findDraft({ q, t }: Db, key: { secretHash: string; userId: string; path: string }, now: Instant) {
  return findRow(q, t.heldForms, {
    secretHash: key.secretHash,
    userId: key.userId,
    path: DRAFT_PATH_PREFIX + key.path,
    expiresAt: greaterThan(now),
  });
}

async function deleteOlderForms({ q, t }: Db, form: { userId: string }, begin: string, most: number): Promise<void> {
  const older = q
    .select({ secretHash: t.heldForms.secretHash })
    .from(t.heldForms)
    .where(and(eq(t.heldForms.userId, form.userId), like(t.heldForms.path, `${begin}%`)))
    .orderBy(desc(t.heldForms.createdAt), desc(t.heldForms.secretHash))
    .limit(1000)
    .offset(most);
  await deleteRows(q, t.heldForms, inArray(t.heldForms.secretHash, older));
}

/** Deletes the form, so that it is restored once. Undefined if expired or another user's. */
export async function consumeHeldForm(
  { q, t }: Db,
  key: { secretHash: string; userId: string; path: string },
  now: Instant,
): Promise<HeldForm | undefined> {
  const [row] = await q
    .delete(t.heldForms)
    .where(matches(t.heldForms, { secretHash: key.secretHash, userId: key.userId, path: key.path }))
    .returning();
  return row && row.expiresAt > now ? row : undefined;
}

export function heldFormLocation(secretHash: string): string {
  return `held_forms/${secretHash}/fields`;
}
