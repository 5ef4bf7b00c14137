import type { webcrypto } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK } from "jose";
import {
  correctSigningKeyDates,
  deleteRetiredSigningKeys,
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  retireSigningKey,
  toSigningKeySealContext,
  type SigningKeyRow,
  type StoredSigningKey,
} from "../../db/identity/signing-keys.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { addMs, type Instant, latestPlausible, isFuture } from "../../core/shared/time.ts";
import type { KeyRing } from "./key-ring.ts";

type Sealer = Pick<KeyRing, "seal" | "unseal">;

/** Immutable snapshot of the ES256 keys; the object reference changes only with the keys. */
export interface KeySet {
  kid: string;
  privateKey: webcrypto.CryptoKey;
  /** Private keys that may sign or have signed an unexpired token, the signing key first. */
  privateJwks: JWK[];
  publicJwks: JSONWebKeySet;
  trusted: ReadonlyMap<string, webcrypto.CryptoKey>;
}

/** Every process rereads the stored keys; the first to find a rotation due performs it. */
export interface SigningKeys {
  getKeySet(): Promise<KeySet>;
  trustedKey(kid: string): Promise<webcrypto.CryptoKey | undefined>;
  settled(): Promise<void>;
}

const DAY_MS = 86_400_000;
const SIGNING_PERIOD_MS = 90 * DAY_MS;
/** Exceeds any token or cache lifetime: a key is published before it signs and stays after. */
export const KEY_OVERLAP_MS = DAY_MS;
/** Max time during which another process still accepts a distrusted key. */
const RELOAD_MS = 5000;
/** Min interval between rereads for an unknown `kid`, which any caller can send. */
const UNKNOWN_KID_RELOAD_MS = 1000;

export async function openSigningKeys(options: {
  store: Store;
  secrets: Sealer;
  now: () => Instant;
  /** Called if a rotation step cannot be stored; it is retried with the current keys in use. */
  onError: (error: unknown) => void;
}): Promise<SigningKeys> {
  const { store, secrets, now } = options;
  let keySet = await buildKeySet(await rotateIfDue(store, secrets, now()), secrets);
  let readAt = Date.parse(now());
  let reading: Promise<KeySet> | undefined;
  let rotating: Promise<void> | undefined;

  /** Does not wait: callers sign within transactions, while rotation waits for the writer. */
  function rotateSoon(at: Instant): void {
    rotating ??= rotateIfDue(store, secrets, at)
      .then(async (rows) => void (keySet = await buildKeySet(rows, secrets)))
      .catch(options.onError)
      .finally(() => (rotating = undefined));
  }

  async function read(): Promise<KeySet> {
    const at = now();
    const rows = await store.read(listSigningKeys);
    if (isDue(rows, at)) rotateSoon(at);
    const same =
      rows.length === keySet.trusted.size && sortSigningKeys(rows).every(({ kid }, n) => kid === getKidAt(keySet, n));
    if (!same) keySet = await buildKeySet(rows, secrets);
    readAt = Date.parse(at);
    return keySet;
  }

  async function readIfOlderThan(ms: number): Promise<KeySet> {
    if (Math.abs(Date.parse(now()) - readAt) < ms) return keySet;
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  }

  return {
    settled: async () => rotating,
    getKeySet: () => readIfOlderThan(RELOAD_MS),
    async trustedKey(kid) {
      const { trusted } = await readIfOlderThan(RELOAD_MS);
      return trusted.get(kid) ?? (await readIfOlderThan(UNKNOWN_KID_RELOAD_MS)).trusted.get(kid);
    },
  };
}

export async function publishNextKey(store: Store, secrets: Sealer, now: Instant): Promise<SigningKeyRow[]> {
  const next = await newSigningKey(secrets, now);
  return store.write(async (db) => {
    const rows = await listSigningKeys(db);
    await buildKeySet(rows, secrets);
    if (filterActiveKeys(rows).length < 2) await insertSigningKey(db, next);
    return listSigningKeys(db);
  });
}

/** Responds to a possible key leak: distrusts everything signed so far and signs with a new key. */
export async function replaceAllKeys(store: Store, secrets: Sealer, now: Instant): Promise<SigningKeyRow[]> {
  const next = await newSigningKey(secrets, now);
  return store.write(async (db) => {
    // Fails early if running processes with another master key could not decrypt the new key.
    await buildKeySet(await listSigningKeys(db), secrets);
    await deleteSigningKeys(db);
    await insertSigningKey(db, next);
    return listSigningKeys(db);
  });
}

async function rotateIfDue(store: Store, secrets: Sealer, now: Instant): Promise<SigningKeyRow[]> {
  const next = await newSigningKey(secrets, now);
  return store.write(async (db) => {
    // A key dated ahead by a fast clock would neither sign nor age until that date.
    if (hasFutureDate(await listSigningKeys(db), now)) await correctSigningKeyDates(db, latestPlausible(now, 0), now);
    if (isDue(await listSigningKeys(db), now)) await rotate(db, now, next);
    return listSigningKeys(db);
  });
}

/** A new key is listed last, then first, then alone. `next` is stored only if a key is missing. */
async function rotate(db: Db, now: Instant, next: StoredSigningKey): Promise<void> {
  const [signing, following] = filterActiveKeys(await listSigningKeys(db));
  await deleteRetiredSigningKeys(db, addMs(now, -KEY_OVERLAP_MS));
  if (!signing) await insertSigningKey(db, next);
  else if (following && isOverlapped(following, now)) await retireSigningKey(db, signing.kid, now);
  else if (!following && isOld(signing, now)) await insertSigningKey(db, next);
}

function isDue(rows: readonly SigningKeyRow[], now: Instant): boolean {
  const [signing, following] = filterActiveKeys(rows);
  const spent = rows.some(({ retiredAt }) => retiredAt !== null && retiredAt < addMs(now, -KEY_OVERLAP_MS));
  return (
    hasFutureDate(rows, now) || spent || !signing || (following ? isOverlapped(following, now) : isOld(signing, now))
  );
}

const hasFutureDate = (rows: readonly SigningKeyRow[], now: Instant) =>
  rows.some(({ createdAt, retiredAt }) => isFuture(createdAt, now) || (retiredAt !== null && isFuture(retiredAt, now)));
const filterActiveKeys = (rows: readonly SigningKeyRow[]) => rows.filter((key) => key.retiredAt === null);
const isOld = (key: SigningKeyRow, now: Instant) => key.createdAt <= addMs(now, -SIGNING_PERIOD_MS);
const isOverlapped = (key: SigningKeyRow, now: Instant) => key.createdAt <= addMs(now, -KEY_OVERLAP_MS);
const getKidAt = ({ privateJwks }: KeySet, n: number) => privateJwks[n]?.kid;

export function sortSigningKeys(rows: readonly SigningKeyRow[]): SigningKeyRow[] {
  return rows.toSorted((a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null));
}

async function buildKeySet(stored: readonly SigningKeyRow[], secrets: Sealer): Promise<KeySet> {
  const rows = sortSigningKeys(stored);
  const privateJwks = rows.map(
    (row) => JSON.parse(secrets.unseal(row.sealedPrivateJwk, toSigningKeySealContext(row.kid))) as JWK,
  );
  const [signing] = rows;
  const [signingJwk] = privateJwks;
  if (!signing || !signingJwk) throw new Error("There is no signing key.");
  const trusted = await Promise.all(rows.map(async (row) => [row.kid, await importSigningKey(row.publicJwk)] as const));
  return {
    kid: signing.kid,
    privateKey: await importSigningKey(signingJwk),
    privateJwks,
    publicJwks: { keys: rows.map((row) => row.publicJwk as JWK) },
    trusted: new Map(trusted),
  };
}

async function importSigningKey(jwk: JWK): Promise<webcrypto.CryptoKey> {
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
    sealedPrivateJwk: secrets.seal(JSON.stringify(privateJwk), toSigningKeySealContext(kid)),
    createdAt,
  };
}
