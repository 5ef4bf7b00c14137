import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is derived from the one master key of an installation. Each purpose has a key of its own. */
export interface Secrets {
  /** 32 bytes for one purpose, the same at every start. */
  derive(purpose: string): Buffer;
  /** AES-256-GCM. `place` names table, row and field, so that a ciphertext moved elsewhere does not open. */
  seal(plain: string, place: string): string;
  /** Throws where the text was altered, moved, or sealed under another master key. */
  unseal(sealed: string, place: string): string;
}

const WRONG_MASTER_KEY =
  "A stored secret does not open with this master key. Put back the MASTER_KEY or the master.key that the database was made with.";

/** Reads the master key from `given` (base64, 32 bytes) or from `dataDir`, where it is made at the first start. */
export function openSecrets(dataDir: string, given: string | undefined): Secrets {
  const master = given === undefined ? storedKey(join(dataDir, "master.key")) : Buffer.from(given, "base64");
  if (master.length !== 32) throw new Error("The master key must be 32 bytes in base64.");
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", master, "brand-visibility", purpose, 32));
  const sealingKey = derive("seal");
  return {
    derive,
    seal(plain, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", sealingKey, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    unseal(sealed, place) {
      const box = Buffer.from(sealed.slice(3), "base64url");
      if (!sealed.startsWith("v1.") || box.length < 28) throw new Error("Not a sealed text of a known version.");
      const opener = createDecipheriv("aes-256-gcm", sealingKey, box.subarray(0, 12), { authTagLength: 16 });
      opener.setAAD(Buffer.from(place)).setAuthTag(box.subarray(12, 28));
      try {
        return Buffer.concat([opener.update(box.subarray(28)), opener.final()]).toString("utf8");
      } catch (error) {
        throw new Error(WRONG_MASTER_KEY, { cause: error });
      }
    },
  };
}

function storedKey(file: string): Buffer {
  if (!existsSync(file)) {
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(32).toString("base64"), { mode: 0o600, flag: "wx" });
  }
  return Buffer.from(readFileSync(file, "utf8").trim(), "base64");
}

/** HMAC-SHA256, for looking up high-entropy secrets without keeping them. */
export function keyedHash(key: Buffer, secret: string): string {
  return createHmac("sha256", key).update(secret).digest("base64url");
}
