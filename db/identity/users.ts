import { eq } from "drizzle-orm";
import { changeRow } from "../engine/change-row.ts";
import { findRow } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type UserRow = typeof tables.users.$inferSelect;

export async function findUser({ q, t }: Db, id: string): Promise<UserRow | undefined> {
  return findRow(q, t.users, { id });
}

/** The e-mail must be in lower case. */
export async function findUserByEmail({ q, t }: Db, email: string): Promise<UserRow | undefined> {
  return findRow(q, t.users, { email });
}

export async function insertUser({ q, t }: Db, user: typeof tables.users.$inferInsert): Promise<void> {
  await q.insert(t.users).values(user);
}

export async function hasAnyUser({ q, t }: Db): Promise<boolean> {
  return (await q.select({ id: t.users.id }).from(t.users).limit(1)).length > 0;
}

export async function updateUser(
  db: Db,
  id: string,
  change: Partial<Pick<UserRow, "email" | "name" | "managedByOrganizationId" | "disabledAt" | "passwordHash">>,
): Promise<void> {
  await changeRow(db, { table: db.t.users, where: eq(db.t.users.id, id), change });
}
