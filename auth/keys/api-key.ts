import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ApiKeyKind } from "../../core/identity/roles.ts";

const BASE62_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const API_KEY_PREFIXES = { user: "bva_usr_", organization: "bva_org_", workspace: "bva_wsp_" } as const;
const API_KEY_PATTERN = /^bva_(?:usr|org|wsp)_[0-9A-Za-z]{49}$/;

/** A prefix that secret scanners recognise, 43 random base62 characters (256 bits), 6 of CRC32. */
export function newApiKey(kind: ApiKeyKind): string {
  return newChecksummedSecret(API_KEY_PREFIXES[kind]);
}

export function newChecksummedSecret(prefix: string): string {
  const random = Array.from({ length: 43 }, () => BASE62_ALPHABET.charAt(randomInt(62))).join("");
  return prefix + random + computeChecksum(prefix + random);
}

export function looksLikeApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text) && hasValidChecksum(text);
}

export function hasValidChecksum(secret: string): boolean {
  return computeChecksum(secret.slice(0, -6)) === secret.slice(-6);
}

export function formatApiKeyHint(key: string): string {
  return `${key.slice(0, 12)}…${key.slice(-4)}`;
}

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  while (digits.length < 6) {
    digits = BASE62_ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
