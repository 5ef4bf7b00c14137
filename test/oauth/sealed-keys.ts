import { randomBytes } from "node:crypto";
import type { KeyRing } from "../../auth/keys/key-ring.ts";
import { toSigningKeySealContext } from "../../db/identity/signing-keys.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { openCommitted } from "../support/committed.ts";

export function newKey(): string {
  return randomBytes(32).toString("base64");
}

/** A store with signing keys, sealed in this ring. */
export async function storeWithKeys(folder: string, count: number, ring: Pick<KeyRing, "seal">) {
  const store = await openStore(folder);
  const rows = Array.from({ length: count }, (_, at) => {
    const kid = `k${String(at).padStart(5, "0")}`;
    const sealedPrivateJwk = ring.seal(`private ${kid}`, toSigningKeySealContext(kid));
    return { kid, publicJwk: {}, sealedPrivateJwk, createdAt: "2026-01-01T00:00:00.000Z", retiredAt: null };
  });
  await store.write((db) => db.bulkInsert(db.t.signingKeys, rows));
  return store;
}

export async function sealedKeys(store: Store) {
  return openCommitted(store).q.select().from(openCommitted(store).t.signingKeys);
}
