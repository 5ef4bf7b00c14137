import { endPasswordProofs, findPasswordProof, insertProof, listProofs } from "../../db/identity/address-proofs.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";

interface UserEmail {
  userId: string;
  email: string;
}

interface CreationContext {
  now: Instant;
  newId: () => string;
}

/**
 * For a link from an organization's owner or the operator (null). Replaces the proof of an earlier
 * link, whose keys reach no organization joined later.
 */
export async function proveByLink(
  db: Db,
  { userId, email, organizationId }: UserEmail & { organizationId: string | null },
  { now, newId }: CreationContext,
): Promise<string> {
  const id = newId();
  await endPasswordProofs(db, userId, now);
  await insertProof(db, { id, userId, email, way: "local", organizationId, provenAt: now });
  return id;
}

/** Idempotent. Returns the proof's id. */
export async function proveByOrganization(
  db: Db,
  { userId, email, organizationId, way }: UserEmail & { organizationId: string; way: "provider" | "directory" },
  { now, newId }: CreationContext,
): Promise<string> {
  const proofs = await listProofs(db, [userId]);
  const known = proofs.find(
    (proof) => proof.way === way && proof.organizationId === organizationId && proof.email === email,
  );
  if (known) return known.id;
  const id = newId();
  await insertProof(db, { id, userId, email, way, organizationId, provenAt: now });
  return id;
}

export async function requireLocalProof(db: Db, userId: string): Promise<string> {
  const proof = await findPasswordProof(db, userId);
  if (!proof) throw new Error("An account with a password has no proof of its address.");
  return proof.id;
}
