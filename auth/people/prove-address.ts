import { endLocalProofs, findLocalProof, insertProof, listProofs } from "../../db/identity/address-proofs.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";

/** An account and the address that is shown to be its person's. */
interface Address {
  userId: string;
  /** Lower case. */
  email: string;
}

interface At {
  now: Instant;
  newId: () => string;
}

/**
 * Records that a person was given a link that only they should have: by an owner of an organization, or by the operator
 * (null). It takes the place of an earlier link's proof, whose keys reach nothing that is joined from now on.
 */
export async function proveByLink(
  db: Db,
  { userId, email, organizationId }: Address & { organizationId: string | null },
  { now, newId }: At,
): Promise<string> {
  const id = newId();
  await endLocalProofs(db, userId, now);
  await insertProof(db, { id, userId, email, way: "local", organizationId, provenAt: now });
  return id;
}

/** Records that an organization's provider or directory says whose the address is; once for each. Returns the proof's id. */
export async function proveByOrganization(
  db: Db,
  { userId, email, organizationId, way }: Address & { organizationId: string; way: "provider" | "directory" },
  { now, newId }: At,
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

/** The proof that a sign-in by password comes from. */
export async function localProofOf(db: Db, userId: string): Promise<string> {
  const proof = await findLocalProof(db, userId);
  if (!proof) throw new Error("An account has a password and no proof that it hangs on.");
  return proof.id;
}
