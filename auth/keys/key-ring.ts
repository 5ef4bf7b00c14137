import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { createMasterKey, missingMasterKeyError, readMasterKeys } from "./master-key-file.ts";

export interface KeyRing {
  /** AES-256-GCM with a fresh data key. Authenticates `place` (table, row, field) against moves. */
  seal(plain: string, place: string): string;
  /** Throws if the ciphertext was altered, moved, or encrypted under a key outside the ring. */
  unseal(sealed: string, place: string): string;
  /** Re-encrypts under the current key; undefined if that is no change. Throws like `unseal`. */
  rewrap(sealed: string, place: string): string | undefined;
  /** Creates the first master key. Precondition: no stored secret is encrypted yet. */
  createKey(): void;
}

interface RingKey {
  id: string;
  wrappingKey: Buffer;
}

const FORMAT = "v2";

const WRONG_MASTER_KEY_MESSAGE =
  "A stored secret cannot be decrypted with this master key. Restore the MASTER_KEY or the master.key that the database was created with, or add it to PREVIOUS_MASTER_KEYS.";

export const OLD_FORMAT_MESSAGE =
  "The database holds secrets in a format older than version 0.1.0. Start version 0.1.0 with it, run `npm run reencrypt` there, then start this version.";

/** Writes nothing, so a lost key file can still be restored. */
export function openKeyRing(
  dataDir: string,
  files: { present?: string | undefined; previous?: readonly string[] } = {},
): KeyRing {
  const { present, previous = [] } = files;
  const older = previous.map(toRingKey);
  const readOwn = () => (present === undefined ? readMasterKeys(dataDir) : [present]).map(toRingKey);
  let keys = readOwn();
  /** Lets a running service find added keys; keeps loaded keys if the file disappears. */
  const readAgain = (): void => {
    const found = readOwn();
    if (found.length > 0) keys = found;
  };
  const presentKey = (): RingKey => {
    readAgain();
    const [first] = keys;
    if (!first) throw missingMasterKeyError(dataDir);
    return first;
  };

  function open(sealed: string, location: string): UnsealedSecret {
    const known = unsealWithAnyKey([...keys, ...older], sealed, location);
    if (known) return known;
    presentKey();
    const found = unsealWithAnyKey(keys, sealed, location);
    if (!found) throw new Error(WRONG_MASTER_KEY_MESSAGE);
    return found;
  }

  return {
    seal: (plain, location) => sealWithKey(presentKey(), plain, location),
    unseal: (sealed, location) => open(sealed, location).plaintext,
    createKey() {
      if (present === undefined) createMasterKey(dataDir);
    },
    rewrap(sealed, location) {
      const { key, dataKey } = open(sealed, location);
      const to = presentKey();
      if (key.id === to.id) return undefined;
      return [
        FORMAT,
        to.id,
        encryptBytes(to.wrappingKey, dataKey, wrapLocation(to.id, location)),
        sealed.split(".")[3],
      ].join(".");
    },
  };
}

interface UnsealedSecret {
  key: RingKey;
  plaintext: string;
  dataKey: Buffer;
}

function sealWithKey(key: RingKey, plain: string, location: string): string {
  const dataKey = randomBytes(32);
  const body = encryptBytes(dataKey, Buffer.from(plain), location);
  return [FORMAT, key.id, encryptBytes(key.wrappingKey, dataKey, wrapLocation(key.id, location)), body].join(".");
}

function unsealWithAnyKey(keys: readonly RingKey[], sealed: string, location: string): UnsealedSecret | undefined {
  const [format, id, wrapped = "", body = "", ...more] = sealed.split(".");
  if (format === "v1") throw new Error(OLD_FORMAT_MESSAGE);
  if (format !== FORMAT || body === "" || more.length > 0) throw new Error("The sealed text has an unknown format.");
  const key = keys.find((one) => one.id === id);
  const dataKey = key && decryptBytes(key.wrappingKey, wrapped, wrapLocation(key.id, location));
  const plain = dataKey && decryptBytes(dataKey, body, location);
  return plain && { key, dataKey, plaintext: plain.toString("utf8") };
}

const wrapLocation = (keyId: string, location: string) => `data key under ${keyId} of ${location}`;

const [IV_BYTES, TAG_BYTES] = [12, 16];

function encryptBytes(key: Buffer, plain: Buffer, location: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(location));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

function decryptBytes(key: Buffer, boxed: string, location: string): Buffer | undefined {
  const bytes = Buffer.from(boxed, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const opener = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  opener.setAAD(Buffer.from(location)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opener.update(bytes.subarray(IV_BYTES + TAG_BYTES)), opener.final()]);
  } catch {
    return undefined;
  }
}

function toRingKey(base64: string): RingKey {
  const master = Buffer.from(base64, "base64");
  if (master.length !== 32)
    throw new Error(
      "A master key must be 32 bytes in base64. Restore the MASTER_KEY or the master.key that the database was created with.",
    );
  return {
    id: deriveKey(master, "key identifier").subarray(0, 8).toString("hex"),
    wrappingKey: deriveKey(master, "wrap data keys"),
  };
}

/** Derives 32 bytes per purpose. A derived key reveals neither the root nor other derived keys. */
export function deriveKey(root: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", root, "brand-visibility", purpose, 32));
}
