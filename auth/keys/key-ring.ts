import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { ensureMasterKey, readMasterKeys } from "./master-key-file.ts";

/** Seals what is kept at rest under the present master key, and opens what any key of the ring sealed. */
export interface KeyRing {
  /**
   * AES-256-GCM under a data key of its own, which the present master key wraps. `place` names table, row and field, so
   * that a ciphertext moved elsewhere does not open.
   */
  seal(plain: string, place: string): string;
  /** Throws where the text was altered, moved, or sealed under a key that is not in the ring. */
  unseal(sealed: string, place: string): string;
  /** The same text under the present key; undefined where it is already. Throws where `unseal` would. */
  rewrap(sealed: string, place: string): string | undefined;
  /** The 32 bytes of the key that this text was sealed under. */
  masterKeyOf(sealed: string, place: string): Buffer;
}

interface RingKey {
  /** Names the key in what it sealed, and tells nothing of it. */
  id: string;
  master: Buffer;
  /** Wraps data keys. */
  wrapping: Buffer;
  /** What version 1 sealed with, when there was one key for all. */
  sealing: Buffer;
}

const WRONG_MASTER_KEY =
  "A stored secret does not open with this master key. Put back the MASTER_KEY or the master.key that the database was made with, or name it in PREVIOUS_MASTER_KEYS.";

/** The ring of `given.present` and `given.previous` (base64, 32 bytes each), or of DATA_DIR/master.key where none is given. */
export function openKeyRing(
  dataDir: string,
  given: { present?: string | undefined; previous?: readonly string[] } = {},
): KeyRing {
  const { present, previous = [] } = given;
  if (present === undefined) ensureMasterKey(dataDir);
  const readKeys = () => [...(present === undefined ? readMasterKeys(dataDir) : [present]), ...previous].map(ringKey);
  let keys = readKeys();
  /** The command that changes the key in the file does so while services run, which find it when they need it. */
  const readAgain = () => {
    if (present === undefined) keys = readMasterKeys(dataDir).length > 0 ? readKeys() : keys;
    return keys;
  };
  const presentKey = (): RingKey => {
    const [first] = readAgain();
    if (!first) throw new Error("There is no master key.");
    return first;
  };

  function open(sealed: string, place: string): Opened {
    const found = firstThatOpens(keys, sealed, place) ?? firstThatOpens(readAgain(), sealed, place);
    if (!found) throw new Error(WRONG_MASTER_KEY);
    return found;
  }

  return {
    seal: (plain, place) => sealUnder(presentKey(), plain, place),
    unseal: (sealed, place) => open(sealed, place).plain,
    masterKeyOf: (sealed, place) => open(sealed, place).key.master,
    rewrap(sealed, place) {
      const { key, plain, dataKey } = open(sealed, place);
      const to = presentKey();
      if (dataKey === undefined) return sealUnder(to, plain, place);
      if (key.id === to.id) return undefined;
      return ["v2", to.id, box(to.wrapping, dataKey, wrapPlace(to.id, place)), sealed.split(".")[3]].join(".");
    },
  };
}

/** A text that opened: with what, and the data key where its version has one. */
interface Opened {
  key: RingKey;
  plain: string;
  dataKey?: Buffer;
}

function sealUnder(key: RingKey, plain: string, place: string): string {
  const dataKey = randomBytes(32);
  const body = box(dataKey, Buffer.from(plain), place);
  return ["v2", key.id, box(key.wrapping, dataKey, wrapPlace(key.id, place)), body].join(".");
}

function firstThatOpens(keys: readonly RingKey[], sealed: string, place: string): Opened | undefined {
  const [version, ...parts] = sealed.split(".");
  const [first = "", wrapped = "", body = ""] = parts;
  if (version === "v1" && parts.length === 1) {
    for (const key of keys) {
      const plain = unbox(key.sealing, first, place);
      if (plain) return { key, plain: plain.toString("utf8") };
    }
    return undefined;
  }
  if (version !== "v2" || parts.length !== 3) throw new Error("Not a sealed text of a known version.");
  const key = keys.find(({ id }) => id === first);
  const dataKey = key && unbox(key.wrapping, wrapped, wrapPlace(key.id, place));
  const plain = dataKey && unbox(dataKey, body, place);
  return plain && { key, dataKey, plain: plain.toString("utf8") };
}

const wrapPlace = (keyId: string, place: string) => `data key under ${keyId} of ${place}`;

const [IV_BYTES, TAG_BYTES] = [12, 16];

function box(key: Buffer, plain: Buffer, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

function unbox(key: Buffer, boxed: string, place: string): Buffer | undefined {
  const bytes = Buffer.from(boxed, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const opener = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  opener.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opener.update(bytes.subarray(IV_BYTES + TAG_BYTES)), opener.final()]);
  } catch {
    return undefined;
  }
}

function ringKey(base64: string): RingKey {
  const master = Buffer.from(base64, "base64");
  if (master.length !== 32) throw new Error("A master key must be 32 bytes in base64.");
  return {
    id: derivedKey(master, "key identifier").subarray(0, 8).toString("hex"),
    master,
    wrapping: derivedKey(master, "wrap data keys"),
    sealing: derivedKey(master, "seal"),
  };
}

/** 32 bytes for one purpose, from which neither the root nor the key of another purpose can be told. */
export function derivedKey(root: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", root, "brand-visibility", purpose, 32));
}
