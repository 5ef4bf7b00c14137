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
import { insertFirstSigningKey, listSigningKeys } from "../db/signing-keys.ts";
import type { Store } from "../db/store.ts";
import type { Secrets } from "./secrets.ts";

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

/** Loads the signing keys; the first start makes one. Private halves are sealed at rest. */
export async function openSigningKeys(store: Store, secrets: Secrets, now: string): Promise<SigningKeys> {
  if ((await listSigningKeys(store.read)).every((key) => key.retiredAt !== null)) {
    const fresh = await newSigningKey();
    await store.write((db) =>
      insertFirstSigningKey(db, {
        kid: fresh.kid,
        publicJwk: { ...fresh.publicJwk },
        sealedPrivateJwk: secrets.seal(JSON.stringify(fresh.privateJwk), sealedPlace(fresh.kid)),
        createdAt: now,
      }),
    );
  }
  const rows = (await listSigningKeys(store.read)).toSorted(
    (a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null),
  );
  const privateJwks = rows.map((row) => JSON.parse(secrets.unseal(row.sealedPrivateJwk, sealedPlace(row.kid))) as JWK);
  const [signing] = rows;
  const [signingJwk] = privateJwks;
  if (!signing || !signingJwk) throw new Error("There is no signing key.");
  const publicJwks = { keys: rows.map((row) => row.publicJwk as JWK) };
  const privateKey = await importJWK(signingJwk, "ES256");
  if (privateKey instanceof Uint8Array) throw new Error("A signing key must be an elliptic-curve key.");
  return { kid: signing.kid, privateKey, privateJwks, publicJwks, resolve: createLocalJWKSet(publicJwks) };
}

const sealedPlace = (kid: string) => `signing_keys/${kid}/sealed_private_jwk`;

async function newSigningKey() {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const bare = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(bare);
  const publicJwk: JWK = { ...bare, kid, use: "sig", alg: "ES256" };
  const privateJwk: JWK = { ...(await exportJWK(pair.privateKey)), kid, use: "sig", alg: "ES256" };
  return { kid, publicJwk, privateJwk };
}
