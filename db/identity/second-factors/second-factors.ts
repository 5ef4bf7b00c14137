import { asc, count, eq, isNotNull } from "drizzle-orm";
import type { Instant } from "../../../core/shared/time.ts";
import { lessThan, deleteRows, findRow, matches, updateRows } from "../../engine/rows.ts";
import type { Db } from "../../engine/store.ts";
import type { tables } from "../../schema.ts";

// Factors belong to a user, so no tenant applies. Compare-and-set consumes single-use values.

export type PasskeyRow = typeof tables.passkeys.$inferSelect;

export function toTotpSealContext(userId: string): string {
  return `totp_factors/${userId}/secret`;
}

export async function deleteSecondFactors({ q, t }: Db, userId: string): Promise<void> {
  for (const table of [t.totpFactors, t.passkeys, t.recoveryCodes]) {
    await deleteRows(q, table, { userId });
  }
  await updateRows(q, t.users, { id: userId }, { secondFactorAt: null });
}

export async function markSecondFactorEnabled({ q, t }: Db, userId: string, at: Instant): Promise<void> {
  await updateRows(q, t.users, { id: userId }, { secondFactorAt: at });
}

export async function findTotp({ q, t }: Db, userId: string) {
  return findRow(q, t.totpFactors, { userId });
}

export async function replaceTotp({ q, t }: Db, totp: typeof tables.totpFactors.$inferInsert): Promise<void> {
  await deleteRows(q, t.totpFactors, { userId: totp.userId });
  await q.insert(t.totpFactors).values(totp);
}

export async function confirmTotp({ q, t }: Db, userId: string, step: number, at: Instant): Promise<boolean> {
  return updateRows(q, t.totpFactors, { userId, confirmedAt: null }, { confirmedAt: at, lastStep: step });
}

/** Also invalidates earlier time steps. Returns false if the step was already used. */
export async function consumeTotpStep({ q, t }: Db, userId: string, step: number): Promise<boolean> {
  const { totpFactors: totp } = t;
  return updateRows(
    q,
    totp,
    { userId, confirmedAt: isNotNull, lastStep: lessThan(step) },
    {
      lastStep: step,
    },
  );
}

export async function deleteTotp({ q, t }: Db, userId: string): Promise<void> {
  await deleteRows(q, t.totpFactors, { userId });
}

export async function listPasskeys({ q, t }: Db, userId: string): Promise<PasskeyRow[]> {
  return q.select().from(t.passkeys).where(eq(t.passkeys.userId, userId)).orderBy(asc(t.passkeys.id));
}

export async function insertPasskey({ q, t }: Db, passkey: typeof tables.passkeys.$inferInsert): Promise<void> {
  await q.insert(t.passkeys).values(passkey);
}

export async function renamePasskey({ q, t }: Db, userId: string, id: string, name: string): Promise<boolean> {
  return updateRows(q, t.passkeys, { id, userId }, { name });
}

export async function deletePasskey({ q, t }: Db, userId: string, id: string): Promise<boolean> {
  return deleteRows(q, t.passkeys, { id, userId });
}

/** Returns false if the passkey was used since it was read. */
export async function recordPasskeyUse(
  { q, t }: Db,
  passkey: Pick<PasskeyRow, "id" | "counter">,
  use: { counter: number; at: Instant },
): Promise<boolean> {
  return updateRows(
    q,
    t.passkeys,
    { id: passkey.id, counter: passkey.counter },
    { counter: use.counter, lastUsedAt: use.at },
  );
}

/** All earlier codes become invalid. */
export async function replaceRecoveryCodes(
  { q, t }: Db,
  userId: string,
  codes: { codeHashes: readonly string[]; at: Instant },
): Promise<void> {
  await deleteRows(q, t.recoveryCodes, { userId });
  await q
    .insert(t.recoveryCodes)
    .values(codes.codeHashes.map((codeHash) => ({ codeHash, userId, createdAt: codes.at })));
}

export async function consumeRecoveryCode({ q, t }: Db, userId: string, codeHash: string, at: Instant) {
  const { recoveryCodes: codes } = t;
  return updateRows(q, codes, { codeHash, userId, usedAt: null }, { usedAt: at });
}

export async function countRecoveryCodes({ q, t }: Db, userId: string): Promise<number> {
  const [row] = await q
    .select({ left: count() })
    .from(t.recoveryCodes)
    .where(matches(t.recoveryCodes, { userId, usedAt: null }));
  return row?.left ?? 0;
}
