import { inArray } from "drizzle-orm";
import type { Proof } from "../../core/identity/proof.ts";
import type { Instant } from "../../core/shared/time.ts";
import { deleteRows, findRow, matches, updateRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { Tables, tables } from "../schema.ts";

// Who has shown that an address is a person's. Proofs belong to an account, not to an organization: no tenant applies.

export type AddressProof = typeof tables.addressProofs.$inferSelect;

/** What a credential's query tells of its proof. */
export function proofColumns({ addressProofs: t }: Tables) {
  return { id: t.id, way: t.way, organizationId: t.organizationId, endedAt: t.endedAt } satisfies Record<
    keyof Proof,
    unknown
  >;
}

/** Every proof of these accounts. */
export async function listProofs({ q, t }: Db, userIds: readonly string[]): Promise<AddressProof[]> {
  if (userIds.length === 0) return [];
  return q
    .select()
    .from(t.addressProofs)
    .where(inArray(t.addressProofs.userId, [...userIds]));
}

/** The proof that the account's password hangs on. */
export async function findLocalProof({ q, t }: Db, userId: string): Promise<AddressProof | undefined> {
  return findRow(q, t.addressProofs, { userId, way: "local", endedAt: null });
}

export async function insertProof({ q, t }: Db, proof: typeof tables.addressProofs.$inferInsert): Promise<void> {
  await q.insert(t.addressProofs).values(proof);
}

/** Ends the proof that the account's password hung on. */
export async function endLocalProofs({ q, t }: Db, userId: string, at: Instant): Promise<void> {
  await updateRows(q, t.addressProofs, { userId, way: "local", endedAt: null }, { endedAt: at });
}

/** Forgets the proofs of an account whose credentials have all ended; its ended keys keep none. */
export async function deleteProofs({ q, t }: Db, userId: string): Promise<void> {
  await updateRows(q, t.apiKeys, { userId }, { proofId: null });
  await deleteRows(q, t.addressProofs, { userId });
}

/** The ids of a person's sign-ins through an organization's provider, for queries of what they opened. */
export function proofsThrough({ q, t }: Db, userId: string, organizationId: string) {
  return q
    .select({ id: t.addressProofs.id })
    .from(t.addressProofs)
    .where(matches(t.addressProofs, { userId, way: "provider", organizationId }));
}
