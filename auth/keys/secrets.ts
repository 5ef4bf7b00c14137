import { createHmac, randomBytes } from "node:crypto";
import {
  findInstallationSecret,
  toInstallationSealContext,
  insertInstallationSecret,
} from "../../db/identity/installation-secrets.ts";
import { listSigningKeys } from "../../db/identity/signing-keys.ts";
import type { Store } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import { deriveKey, OLD_FORMAT_MESSAGE, type KeyRing } from "./key-ring.ts";

export interface Secrets extends Pick<KeyRing, "seal" | "unseal"> {
  /** Derives 32 bytes that survive restarts and master key changes. */
  derive(purpose: string): Buffer;
}

const ROOT = "root";

/** Keys derive from an encrypted root secret, so a new master key changes no derived key. */
export async function openSecrets(store: Store, ring: KeyRing, now: Instant): Promise<Secrets> {
  const sealed =
    (await store.read((db) => findInstallationSecret(db, ROOT))) ?? (await createRootSecret(store, ring, now));
  // Throws without a current key, even if a previous key decrypts the root.
  ring.rewrap(sealed, toInstallationSealContext(ROOT));
  const root = Buffer.from(ring.unseal(sealed, toInstallationSealContext(ROOT)), "base64");
  return {
    seal: (plain, location) => ring.seal(plain, location),
    unseal: (text, location) => ring.unseal(text, location),
    derive: (purpose) => deriveKey(root, purpose),
  };
}

async function createRootSecret(store: Store, ring: KeyRing, now: Instant): Promise<string> {
  // A new root would invalidate existing API keys and sessions.
  if ((await store.read(listSigningKeys)).length > 0) throw new Error(OLD_FORMAT_MESSAGE);
  ring.createKey();
  return store.write(async (db) => {
    const known = await findInstallationSecret(db, ROOT);
    if (known !== undefined) return known;
    const sealedValue = ring.seal(randomBytes(32).toString("base64"), toInstallationSealContext(ROOT));
    await insertInstallationSecret(db, { name: ROOT, sealedValue, createdAt: now });
    return sealedValue;
  });
}

/** Allows lookups of high-entropy secrets without storing them. */
export function keyedHash(key: Buffer, secret: string): string {
  return createHmac("sha256", key).update(secret).digest("base64url");
}
