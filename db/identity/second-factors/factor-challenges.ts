import type { Instant } from "../../../core/shared/time.ts";
import type { tables } from "../../schema.ts";
import { greaterThan, deleteRows, findRow } from "../../engine/rows.ts";
import type { Db } from "../../engine/store.ts";

// Challenges precede any organization, so no tenant applies.

export type FactorChallengeRow = typeof tables.factorChallenges.$inferSelect;

export async function replaceFactorChallenge({ q, t }: Db, row: FactorChallengeRow): Promise<void> {
  await deleteRows(q, t.factorChallenges, { secretHash: row.secretHash });
  await q.insert(t.factorChallenges).values(row);
}

export async function findFactorChallenge({ q, t }: Db, secretHash: string, now: Instant) {
  return findRow(q, t.factorChallenges, { secretHash, expiresAt: greaterThan(now) });
}

export async function consumeFactorChallenge(
  { q, t }: Db,
  { secretHash, challenge }: Pick<FactorChallengeRow, "secretHash" | "challenge">,
): Promise<boolean> {
  return deleteRows(q, t.factorChallenges, { secretHash, challenge });
}

export async function deleteUserFactorChallenges({ q, t }: Db, userId: string): Promise<void> {
  await deleteRows(q, t.factorChallenges, { userId });
}
