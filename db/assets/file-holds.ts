import { asc, eq, lt } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

/** Protects a file before it exists. Organizations share files of equal content. */
export async function insertFileHold({ q, t }: Db, hold: { id: string; sha256: string; createdAt: Instant }) {
  await q.insert(t.fileHolds).values(hold);
}

/** Returns the SHA-256 if the file has no holds: delete the file in the same transaction. */
export async function endFileProtection({ q, t }: Db, id: string): Promise<string | undefined> {
  const [hold] = await q.delete(t.fileHolds).where(eq(t.fileHolds.id, id)).returning({ sha256: t.fileHolds.sha256 });
  return hold && !(await isFileNeeded({ q, t }, hold.sha256)) ? hold.sha256 : undefined;
}

export async function isFileNeeded({ q, t }: Pick<Db, "q" | "t">, sha256: string): Promise<boolean> {
  const held = await q.$count(t.fileHolds, eq(t.fileHolds.sha256, sha256));
  const used = await q.$count(t.assets, matches(t.assets, { sha256, hasFile: true }));
  const imported = await q.$count(t.imports, matches(t.imports, { sha256, hasFile: true }));
  const exported = await q.$count(t.exports, matches(t.exports, { sha256, hasFile: true }));
  return held + used + imported + exported > 0;
}

/** Left by crashed processes or archived assets, oldest first. */
export async function listOldFileHolds({ q, t }: Db, before: Instant): Promise<string[]> {
  const rows = await q
    .select({ id: t.fileHolds.id })
    .from(t.fileHolds)
    .where(lt(t.fileHolds.createdAt, before))
    .orderBy(asc(t.fileHolds.createdAt), asc(t.fileHolds.id))
    .limit(1000);
  return rows.map(({ id }) => id);
}
