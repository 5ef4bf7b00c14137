import { and, asc, isNotNull, lt } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { greaterThan, deleteRows, updateRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

// Keys of the installation, so no tenant applies.

export interface StoredSigningKey {
  kid: string;
  publicJwk: Record<string, unknown>;
  sealedPrivateJwk: string;
  createdAt: Instant;
}

export interface SigningKeyRow extends StoredSigningKey {
  retiredAt: Instant | null;
}

export async function listSigningKeys({ q, t }: Db): Promise<SigningKeyRow[]> {
  return q.select().from(t.signingKeys).orderBy(asc(t.signingKeys.createdAt), asc(t.signingKeys.kid));
}

export async function insertSigningKey({ q, t }: Db, key: StoredSigningKey): Promise<void> {
  await q.insert(t.signingKeys).values(key);
}

/** A retired key still verifies signatures. */
export async function retireSigningKey({ q, t }: Db, kid: string, at: Instant): Promise<void> {
  await updateRows(q, t.signingKeys, { kid, retiredAt: null }, { retiredAt: at });
}

export async function correctSigningKeyDates({ q, t }: Db, latest: Instant, at: Instant): Promise<void> {
  await updateRows(q, t.signingKeys, { createdAt: greaterThan(latest) }, { createdAt: at });
  await updateRows(q, t.signingKeys, { retiredAt: greaterThan(latest) }, { retiredAt: at });
}

export async function deleteRetiredSigningKeys({ q, t }: Db, before: Instant): Promise<void> {
  await deleteRows(q, t.signingKeys, and(isNotNull(t.signingKeys.retiredAt), lt(t.signingKeys.retiredAt, before)));
}

export function toSigningKeySealContext(kid: string): string {
  return `signing_keys/${kid}/sealed_private_jwk`;
}

/** Every signature issued so far becomes invalid. */
export async function deleteSigningKeys({ q, t }: Db): Promise<void> {
  await q.delete(t.signingKeys);
}
