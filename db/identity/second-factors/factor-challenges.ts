import { and, eq, gt } from "drizzle-orm";
import type { Instant } from "../../../core/shared/time.ts";
import type { tables } from "../../schema.ts";
import { findRow } from "../../engine/rows.ts";
import type { Db } from "../../engine/store.ts";

// Sign-ins that wait for a second factor, and passkeys that are being added. They come before any organization.

export type FactorChallengeRow = typeof tables.factorChallenges.$inferSelect;

/** Keeps a challenge, in place of an earlier one with the same secret. */
export async function replaceFactorChallenge({ q, t }: Db, row: FactorChallengeRow): Promise<void> {
  await q.delete(t.factorChallenges).where(eq(t.factorChallenges.secretHash, row.secretHash));
  await q.insert(t.factorChallenges).values(row);
}

export async function findFactorChallenge(
  { q, t }: Db,
  secretHash: string,
  now: Instant,
): Promise<FactorChallengeRow | undefined> {
  return findRow(
    q,
    t.factorChallenges,
    and(eq(t.factorChallenges.secretHash, secretHash), gt(t.factorChallenges.expiresAt, now)),
  );
}

/** Uses up a challenge; false if it was used already. */
export async function takeFactorChallenge(
  { q, t }: Db,
  { secretHash, challenge }: Pick<FactorChallengeRow, "secretHash" | "challenge">,
): Promise<boolean> {
  const taken = await q
    .delete(t.factorChallenges)
    .where(and(eq(t.factorChallenges.secretHash, secretHash), eq(t.factorChallenges.challenge, challenge)))
    .returning({ secretHash: t.factorChallenges.secretHash });
  return taken.length > 0;
}

export async function deleteFactorChallengesOf({ q, t }: Db, userId: string): Promise<void> {
  await q.delete(t.factorChallenges).where(eq(t.factorChallenges.userId, userId));
}
