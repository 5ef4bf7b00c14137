import type { webcrypto } from "node:crypto";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
} from "jose";
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  listSigningKeys,
  retireSigningKey,
  signingKeyPlace,
  type StoredSigningKey,
} from "../db/signing-keys.ts";
import type { Db, Store } from "../db/store.ts";
import { later, type Instant } from "../src/core/time.ts";
import type { KeyRing } from "./key-ring.ts";

/** The ES256 keys of this installation. */
export interface SigningKeys {
  /** The key that signs now. */
  kid: string;
  privateKey: webcrypto.CryptoKey;
  /** Every private key that may still sign or has signed a living token, the signing one first. */
  privateJwks: JWK[];
  publicJwks: JSONWebKeySet;
  resolve: ReturnType<typeof createLocalJWKSet>;
}

const DAY_MS = 86_400_000;
/** A key signs for this long. Rotation happens at a start, so that every process of one has the same list. */
const SIGNS_MS = 90 * DAY_MS;
/** A new key is published for this long before it signs, and an old one after: longer than any token or cache lives. */
const OVERLAP_MS = DAY_MS;

/**
 * Loads the signing keys; the first start makes one. A key that is due for rotation is followed by a new one, which is
 * listed last, then first, then alone. Private halves are sealed at rest.
 */
export async function openSigningKeys(
  store: Store,
  secrets: Pick<KeyRing, "seal" | "unseal">,
  now: Instant,
): Promise<SigningKeys> {
  const fresh = await newSigningKey();
  const stored = await store.write(async (db) => {
    await rotate(db, now, {
      kid: fresh.kid,
      publicJwk: { ...fresh.publicJwk },
      sealedPrivateJwk: secrets.seal(JSON.stringify(fresh.privateJwk), signingKeyPlace(fresh.kid)),
      createdAt: now,
    });
    return listSigningKeys(db);
  });
  const rows = stored.toSorted((a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null));
  const privateJwks = rows.map(
    (row) => JSON.parse(secrets.unseal(row.sealedPrivateJwk, signingKeyPlace(row.kid))) as JWK,
  );
  const [signing] = rows;
  const [signingJwk] = privateJwks;
  if (!signing || !signingJwk) throw new Error("There is no signing key.");
  const publicJwks = { keys: rows.map((row) => row.publicJwk as JWK) };
  const privateKey = await importJWK(signingJwk, "ES256");
  if (privateKey instanceof Uint8Array) throw new Error("A signing key must be an elliptic-curve key.");
  return { kid: signing.kid, privateKey, privateJwks, publicJwks, resolve: createLocalJWKSet(publicJwks) };
}

/** One step of rotation, where one is due; `fresh` is stored only where a key is missing. */
async function rotate(db: Db, now: Instant, fresh: StoredSigningKey): Promise<void> {
  const [signing, next] = (await listSigningKeys(db)).filter((key) => key.retiredAt === null);
  const overlapped = later(now, -OVERLAP_MS);
  await deleteRetiredSigningKeys(db, overlapped);
  if (!signing) await insertSigningKey(db, fresh);
  else if (next && next.createdAt <= overlapped) await retireSigningKey(db, signing.kid, now);
  else if (!next && signing.createdAt <= later(now, -SIGNS_MS)) await insertSigningKey(db, fresh);
}

async function newSigningKey() {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const bare = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(bare);
  const publicJwk: JWK = { ...bare, kid, use: "sig", alg: "ES256" };
  const privateJwk: JWK = { ...(await exportJWK(pair.privateKey)), kid, use: "sig", alg: "ES256" };
  return { kid, publicJwk, privateJwk };
}
