import type { webcrypto } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK } from "jose";
import {
  deleteRetiredSigningKeys,
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  retireSigningKey,
  signingKeyPlace,
  type SigningKeyRow,
  type StoredSigningKey,
} from "../../db/identity/signing-keys.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { later, type Instant } from "../../core/time.ts";
import type { KeyRing } from "./key-ring.ts";

type Sealer = Pick<KeyRing, "seal" | "unseal">;

/** The ES256 keys of this installation, as they were read at one moment. The same object until they change. */
export interface KeySet {
  /** The key that signs. */
  kid: string;
  privateKey: webcrypto.CryptoKey;
  /** Every private key that may still sign or has signed a living token, the signing one first. */
  privateJwks: JWK[];
  publicJwks: JSONWebKeySet;
  /** Those that tokens are verified with, by their `kid`. */
  trusted: ReadonlyMap<string, webcrypto.CryptoKey>;
}

/**
 * The keys as the store has them now. Every process on one store reads them again while it runs, and whichever first
 * finds a step of rotation due does it for all, so that they agree without a restart.
 */
export interface SigningKeys {
  current(): Promise<KeySet>;
  /** The public key with this `kid`; undefined for one that is not, or no more, trusted. */
  trustedKey(kid: string): Promise<webcrypto.CryptoKey | undefined>;
  /** Resolves when a step of rotation that is under way is stored. */
  settled(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** A key signs for this long. */
const SIGNS_MS = 90 * DAY_MS;
/** A new key is published for this long before it signs, and an old one after: longer than any token or cache lives. */
export const KEY_OVERLAP_MS = DAY_MS;
/** For this long after it was distrusted a key may still be taken by another process. */
const REREAD_MS = 5000;
/** How often a `kid` that nobody knows makes us look. Anybody can send one. */
const UNKNOWN_REREAD_MS = 1000;

/** Loads the signing keys; the first start makes one. Private halves are sealed at rest. */
export async function openSigningKeys(options: {
  store: Store;
  secrets: Sealer;
  now: () => Instant;
  /** Told that a step of rotation could not be stored; it is tried again, and the keys serve as they are. */
  onError: (error: unknown) => void;
}): Promise<SigningKeys> {
  const { store, secrets, now } = options;
  let known = await keySetOf(await rotateWhereDue(store, secrets, now()), secrets);
  let readAt = Date.parse(now());
  let reading: Promise<KeySet> | undefined;
  let rotating: Promise<void> | undefined;

  /** Beside whoever asked: tokens are signed within transactions, and a step of rotation waits for the one writer. */
  function rotateSoon(at: Instant): void {
    rotating ??= rotateWhereDue(store, secrets, at)
      .then(async (rows) => void (known = await keySetOf(rows, secrets)))
      .catch(options.onError)
      .finally(() => (rotating = undefined));
  }

  async function read(): Promise<KeySet> {
    const at = now();
    const rows = await store.read(listSigningKeys);
    if (isDue(rows, at)) rotateSoon(at);
    const same = rows.length === known.trusted.size && inOrder(rows).every(({ kid }, n) => kid === kidAt(known, n));
    if (!same) known = await keySetOf(rows, secrets);
    readAt = Date.parse(at);
    return known;
  }

  async function notOlderThan(ms: number): Promise<KeySet> {
    if (Math.abs(Date.parse(now()) - readAt) < ms) return known;
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  }

  return {
    settled: async () => rotating,
    current: () => notOlderThan(REREAD_MS),
    async trustedKey(kid) {
      const { trusted } = await notOlderThan(REREAD_MS);
      return trusted.get(kid) ?? (await notOlderThan(UNKNOWN_REREAD_MS)).trusted.get(kid);
    },
  };
}

/** Publishes the key that will sign next, unless there is one already. Gives the keys as they then are. */
export async function publishNextKey(store: Store, secrets: Sealer, now: Instant): Promise<SigningKeyRow[]> {
  const next = await newSigningKey(secrets, now);
  return store.write(async (db) => {
    const rows = await listSigningKeys(db);
    await keySetOf(rows, secrets);
    if (living(rows).length < 2) await insertSigningKey(db, next);
    return listSigningKeys(db);
  });
}

/** For a key that somebody else may have: nothing that any key signed until now is trusted, and a new one signs. */
export async function replaceAllKeys(store: Store, secrets: Sealer, now: Instant): Promise<SigningKeyRow[]> {
  const next = await newSigningKey(secrets, now);
  return store.write(async (db) => {
    // With another master key the running processes could not open the new key.
    await keySetOf(await listSigningKeys(db), secrets);
    await deleteSigningKeys(db);
    await insertSigningKey(db, next);
    return listSigningKeys(db);
  });
}

async function rotateWhereDue(store: Store, secrets: Sealer, now: Instant): Promise<SigningKeyRow[]> {
  const next = await newSigningKey(secrets, now);
  return store.write(async (db) => {
    if (isDue(await listSigningKeys(db), now)) await rotate(db, now, next);
    return listSigningKeys(db);
  });
}

/** One step: a new key is listed last, then first, then alone. `next` is stored only where a key is missing. */
async function rotate(db: Db, now: Instant, next: StoredSigningKey): Promise<void> {
  const [signing, following] = living(await listSigningKeys(db));
  await deleteRetiredSigningKeys(db, later(now, -KEY_OVERLAP_MS));
  if (!signing) await insertSigningKey(db, next);
  else if (following && isOverlapped(following, now)) await retireSigningKey(db, signing.kid, now);
  else if (!following && isOld(signing, now)) await insertSigningKey(db, next);
}

function isDue(rows: readonly SigningKeyRow[], now: Instant): boolean {
  const [signing, following] = living(rows);
  const spent = rows.some(({ retiredAt }) => retiredAt !== null && retiredAt < later(now, -KEY_OVERLAP_MS));
  return spent || !signing || (following ? isOverlapped(following, now) : isOld(signing, now));
}

const living = (rows: readonly SigningKeyRow[]) => rows.filter((key) => key.retiredAt === null);
const isOld = (key: SigningKeyRow, now: Instant) => key.createdAt <= later(now, -SIGNS_MS);
const isOverlapped = (key: SigningKeyRow, now: Instant) => key.createdAt <= later(now, -KEY_OVERLAP_MS);
const kidAt = ({ privateJwks }: KeySet, n: number) => privateJwks[n]?.kid;

/** The signing key first, the retired ones last. */
export function inOrder(rows: readonly SigningKeyRow[]): SigningKeyRow[] {
  return rows.toSorted((a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null));
}

async function keySetOf(stored: readonly SigningKeyRow[], secrets: Sealer): Promise<KeySet> {
  const rows = inOrder(stored);
  const privateJwks = rows.map(
    (row) => JSON.parse(secrets.unseal(row.sealedPrivateJwk, signingKeyPlace(row.kid))) as JWK,
  );
  const [signing] = rows;
  const [signingJwk] = privateJwks;
  if (!signing || !signingJwk) throw new Error("There is no signing key.");
  const trusted = await Promise.all(rows.map(async (row) => [row.kid, await cryptoKey(row.publicJwk)] as const));
  return {
    kid: signing.kid,
    privateKey: await cryptoKey(signingJwk),
    privateJwks,
    publicJwks: { keys: rows.map((row) => row.publicJwk as JWK) },
    trusted: new Map(trusted),
  };
}

async function cryptoKey(jwk: JWK): Promise<webcrypto.CryptoKey> {
  const key = await importJWK(jwk, "ES256");
  if (key instanceof Uint8Array) throw new Error("A signing key must be an elliptic-curve key.");
  return key;
}

async function newSigningKey(secrets: Sealer, createdAt: Instant): Promise<StoredSigningKey> {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const bare = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(bare);
  const publicJwk: JWK = { ...bare, kid, use: "sig", alg: "ES256" };
  const privateJwk: JWK = { ...(await exportJWK(pair.privateKey)), kid, use: "sig", alg: "ES256" };
  return {
    kid,
    publicJwk: { ...publicJwk },
    sealedPrivateJwk: secrets.seal(JSON.stringify(privateJwk), signingKeyPlace(kid)),
    createdAt,
  };
}
