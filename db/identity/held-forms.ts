import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { Instant } from "../../core/time.ts";
import { deleteSome } from "../engine/delete-some.ts";
import type { Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

// What a person typed into a form that they had to sign in again for. It belongs to them alone: no tenant applies.

export type HeldForm = typeof tables.heldForms.$inferSelect;

/** Stores a form. Of one person's only the newest are kept, as many as `most`. */
export async function insertHeldForm({ q, t }: Db, form: HeldForm, most: number): Promise<void> {
  await q.insert(t.heldForms).values(form);
  const older = q
    .select({ secretHash: t.heldForms.secretHash })
    .from(t.heldForms)
    .where(eq(t.heldForms.userId, form.userId))
    .orderBy(desc(t.heldForms.createdAt), desc(t.heldForms.secretHash))
    .limit(1000)
    .offset(most);
  await q.delete(t.heldForms).where(inArray(t.heldForms.secretHash, older));
}

/** Takes a form of this page out of the store, so that it comes back once; undefined if it is over or another person's. */
export async function takeHeldForm(
  { q, t }: Db,
  of: { secretHash: string; userId: string; path: string },
  now: Instant,
): Promise<HeldForm | undefined> {
  const [row] = await q
    .delete(t.heldForms)
    .where(
      and(eq(t.heldForms.secretHash, of.secretHash), eq(t.heldForms.userId, of.userId), eq(t.heldForms.path, of.path)),
    )
    .returning();
  return row && row.expiresAt > now ? row : undefined;
}

/** Deletes forms that were not fetched in time. */
export async function deleteExpiredHeldForms(db: Db, before: Instant, most: number): Promise<number> {
  const { heldForms } = db.t;
  return deleteSome(db, heldForms, lt(heldForms.expiresAt, before), most);
}

/** The place that the fields of a form are sealed for: table, row and field. */
export function heldFormPlace(secretHash: string): string {
  return `held_forms/${secretHash}/fields`;
}
