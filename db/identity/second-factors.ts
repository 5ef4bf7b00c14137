import { eq } from "drizzle-orm";
import type { Db } from "../engine/store.ts";

/** The place that the secret of a person's authenticator app is sealed for: table, row and field. */
export function totpSecretPlace(userId: string): string {
  return `totp_factors/${userId}/secret`;
}

/** Takes every second factor from an account. */
export async function deleteSecondFactors({ q, t }: Db, userId: string): Promise<void> {
  for (const table of [t.totpFactors, t.passkeys, t.recoveryCodes]) {
    await q.delete(table).where(eq(table.userId, userId));
  }
  await q.update(t.users).set({ secondFactorAt: null }).where(eq(t.users.id, userId));
}
