import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ApiKeyKind } from "../../core/identity/roles.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIXES = { user: "bva_usr_", organization: "bva_org_", workspace: "bva_wsp_" } as const;
const API_KEY_FORMAT = /^bva_(?:usr|org|wsp)_[0-9A-Za-z]{49}$/;

/** A prefix that secret scanners recognise, 43 random base62 characters (256 bits), 6 of CRC32. */
export function newApiKey(kind: ApiKeyKind): string {
  return newChecksummedSecret(PREFIXES[kind]);
}

export function newChecksummedSecret(prefix: string): string {
  const random = Array.from({ length: 43 }, () => ALPHABET.charAt(randomInt(62))).join("");
  return prefix + random + checksum(prefix + random);
}

/** Detects typos by format and checksum, without a database query. */
export function looksLikeApiKey(text: string): boolean {
  return API_KEY_FORMAT.test(text) && hasValidChecksum(text);
}

export function hasValidChecksum(secret: string): boolean {
  return checksum(secret.slice(0, -6)) === secret.slice(-6);
}

export function apiKeyHint(key: string): string {
  return `${key.slice(0, 12)}…${key.slice(-4)}`;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  while (digits.length < 6) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
