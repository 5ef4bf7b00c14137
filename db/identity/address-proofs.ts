import { inArray } from "drizzle-orm";
import type { Proof } from "../../core/identity/proof.ts";
import type { Instant } from "../../core/shared/time.ts";
import { deleteRows, findRow, matches, updateRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { Tables, tables } from "../schema.ts";

// Proofs belong to an account, so no tenant applies.

export type AddressProof = typeof tables.addressProofs.$inferSelect;

export function proofColumns({ addressProofs: t }: Tables) {
  return { id: t.id, way: t.way, organizationId: t.organizationId, endedAt: t.endedAt } satisfies Record<
    keyof Proof,
    unknown
  >;
}

export async function listProofs({ q, t }: Db, userIds: readonly string[]): Promise<AddressProof[]> {
  if (userIds.length === 0) return [];
  return q
    .select()
    .from(t.addressProofs)
    .where(inArray(t.addressProofs.userId, [...userIds]));
}

export async function findPasswordProof({ q, t }: Db, userId: string): Promise<AddressProof | undefined> {
  return findRow(q, t.addressProofs, { userId, way: "local", endedAt: null });
}

export async function insertProof({ q, t }: Db, proof: typeof tables.addressProofs.$inferInsert): Promise<void> {
  await q.insert(t.addressProofs).values(proof);
}

export async function endPasswordProofs({ q, t }: Db, userId: string, at: Instant): Promise<void> {
  await updateRows(q, t.addressProofs, { userId, way: "local", endedAt: null }, { endedAt: at });
}

/** For an account without active credentials. */
export async function deleteProofs({ q, t }: Db, userId: string): Promise<void> {
  await updateRows(q, t.apiKeys, { userId }, { proofId: null });
  await deleteRows(q, t.addressProofs, { userId });
}

export function selectProviderProofIds({ q, t }: Db, userId: string, organizationId: string) {
  return q
    .select({ id: t.addressProofs.id })
    .from(t.addressProofs)
    .where(matches(t.addressProofs, { userId, way: "provider", organizationId }));
}
