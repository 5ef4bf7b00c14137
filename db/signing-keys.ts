import { asc, isNull } from "drizzle-orm";
import type { Db } from "./store.ts";

export interface StoredSigningKey {
  kid: string;
  publicJwk: Record<string, unknown>;
  sealedPrivateJwk: string;
  createdAt: string;
}

/** Keys that still verify or sign, the oldest first. */
export async function listSigningKeys({ q, t }: Db): Promise<(StoredSigningKey & { retiredAt: string | null })[]> {
  return q.select().from(t.signingKeys).orderBy(asc(t.signingKeys.createdAt), asc(t.signingKeys.kid));
}

/** Stores a key unless one that signs is there already (another process started at the same time). */
export async function insertFirstSigningKey(db: Db, key: StoredSigningKey): Promise<void> {
  const { q, t } = db;
  const [active] = await q
    .select({ kid: t.signingKeys.kid })
    .from(t.signingKeys)
    .where(isNull(t.signingKeys.retiredAt));
  if (!active) await q.insert(t.signingKeys).values(key);
}
