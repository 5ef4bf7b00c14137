import { proveByLink, proveByOrganization } from "../../auth/people/prove-address.ts";
import { findPasswordProof } from "../../db/identity/address-proofs.ts";
import { findUser } from "../../db/identity/users.ts";
import type { Db, Store } from "../../db/engine/store.ts";

interface Service {
  store: Store;
  deps: { now: () => string; newId: () => string };
}

/** The proof behind a person's password, as if the operator had given them a link. */
export async function localProof(db: Db, userId: string, at: { now: string; newId: () => string }): Promise<string> {
  const known = await findPasswordProof(db, userId);
  if (known) return known.id;
  const user = await findUser(db, userId);
  if (!user) throw new Error(`there is no account ${userId}`);
  return proveByLink(db, { userId, email: user.email, organizationId: null }, at);
}

/** The proof of a sign-in through an organization's provider. */
export async function providerProof(w: Service, userId: string, organizationId: string): Promise<string> {
  return w.store.write(async (db) => {
    const email = (await findUser(db, userId))?.email ?? "";
    const at = { now: w.deps.now(), newId: w.deps.newId };
    return proveByOrganization(db, { userId, email, organizationId, way: "provider" }, at);
  });
}
