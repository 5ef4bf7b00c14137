import { findScimTokenByHash, touchScimToken } from "../../db/identity/provisioning/scim-tokens.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { AppError } from "../../core/shared/errors.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { hasValidChecksum, newChecksummedSecret } from "../keys/api-key.ts";
import { keyedHash, type Secrets } from "../keys/secrets.ts";

export interface ScimCaller {
  tokenId: string;
  organizationId: string;
}

/** SCIM tokens have the format of API keys and are valid only for SCIM. */
export interface ScimTokens {
  create(): string;
  formatHint(token: string): string;
  hash(token: string): string;
  verify(store: Store, token: string, now: Instant): Promise<ScimCaller>;
}

const SCIM_TOKEN_PREFIX = "bva_scim_";
const SCIM_TOKEN_PATTERN = /^bva_scim_[0-9A-Za-z]{49}$/;
/** Accuracy of the last use, so that a synchronisation does not write on every call. */
const USE_RESOLUTION_MS = 60_000;

export function openScimTokens(secrets: Secrets): ScimTokens {
  const pepper = secrets.derive("scim-tokens");
  const hash = (token: string) => keyedHash(pepper, token);
  return {
    create: () => newChecksummedSecret(SCIM_TOKEN_PREFIX),
    formatHint: (token) => `${token.slice(0, SCIM_TOKEN_PREFIX.length + 4)}…${token.slice(-4)}`,
    hash,
    async verify(store, token, now) {
      const known = SCIM_TOKEN_PATTERN.test(token) && hasValidChecksum(token);
      const row = known ? await store.read((db) => findScimTokenByHash(db, hash(token), now)) : undefined;
      if (!row) throw new AppError("UNAUTHENTICATED", INVALID_TOKEN);
      if (row.lastUsedAt === null || addMs(row.lastUsedAt, USE_RESOLUTION_MS) <= now) {
        await store.write((db: Db) => touchScimToken(db, row.id, now));
      }
      return { tokenId: row.id, organizationId: row.organizationId };
    },
  };
}

const INVALID_TOKEN =
  "The token is unknown, expired or revoked. An owner of the organization can create one on its Provisioning page.";
