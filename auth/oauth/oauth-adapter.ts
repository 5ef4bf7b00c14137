import { createHash } from "node:crypto";
import type { Adapter, AdapterPayload } from "oidc-provider";
import {
  toOauthClientSealContext,
  consumeOAuthRecord,
  deleteOAuthRecord,
  deleteOAuthRecordsOfGrant,
  findOAuthRecord,
  findOAuthRecordByUid,
  markClientUsed,
  saveOAuthRecord,
  type OAuthRecord,
} from "../../db/identity/oauth-records.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { CLOCK_TOLERANCE_SECONDS } from "./access-tokens.ts";
import { errors } from "./oidc-provider.ts";
import type { Secrets } from "../keys/secrets.ts";

/** Models whose id is the credential: 256 random bits, so an unsalted hash suffices. */
const HASHED_MODELS = new Set(["RefreshToken", "AuthorizationCode", "AccessToken", "Session"]);
/**
 * Grace period: a client that lost a refresh response or refreshes twice gets the same successor.
 */
const REUSE_LEEWAY_MS = 60_000;

const hashCredential = (id: string) => createHash("sha256").update(id).digest("base64url");

/** Includes a rotated token that is still within its grace period. */
export async function isRotatedRefreshToken(db: Db, token: string): Promise<boolean> {
  const row = await findOAuthRecord(db, "RefreshToken", hashCredential(token));
  return (row?.consumedAt ?? null) !== null;
}

export function createOAuthAdapter(options: {
  store: Store;
  secrets: Secrets;
  now: () => Instant;
}): (model: string) => Adapter {
  const { store, secrets, now } = options;
  return (model) => {
    const keyOf = (id: string) => (HASHED_MODELS.has(model) ? hashCredential(id) : id);

    /** A token within its grace period does not count as consumed. */
    function read(row: OAuthRecord | undefined, id?: string): AdapterPayload | undefined {
      if (!row || (row.expiresAt !== null && row.expiresAt < addMs(now(), -CLOCK_TOLERANCE_SECONDS * 1000))) {
        return undefined;
      }
      const payload: AdapterPayload = { ...row.payload };
      if (id !== undefined && HASHED_MODELS.has(model)) payload.jti = id;
      if (model === "Client" && payload.client_secret !== undefined) {
        payload.client_secret = secrets.unseal(payload.client_secret, toOauthClientSealContext(row.id));
      }
      if (row.consumedAt !== null && !isInLeeway(row.consumedAt)) payload.consumed = true;
      return payload;
    }

    function isInLeeway(consumedAt: Instant): boolean {
      return model === "RefreshToken" && addMs(consumedAt, REUSE_LEEWAY_MS) > now();
    }

    return {
      async upsert(id, payload, expiresIn) {
        const at = now();
        const key = keyOf(id);
        const stored: Record<string, unknown> = { ...payload };
        if (HASHED_MODELS.has(model)) delete stored["jti"];
        if (model === "Client" && payload.client_secret !== undefined) {
          stored["client_secret"] = secrets.seal(payload.client_secret, toOauthClientSealContext(key));
        }
        await store.write(async (db) => {
          await saveOAuthRecord(db, {
            model,
            id: key,
            payload: stored,
            grantId: payload.grantId ?? null,
            uid: payload.uid ?? null,
            accountId: payload.accountId ?? null,
            clientId: payload.clientId ?? null,
            createdAt: at,
            // Never expires without a lifetime, like a registered client.
            expiresAt: expiresIn ? addMs(at, expiresIn * 1000) : null,
          });
          if (model === "Grant" && payload.clientId !== undefined) await markClientUsed(db, payload.clientId, at);
        });
      },

      async find(id) {
        return read(await store.read((db) => findOAuthRecord(db, model, keyOf(id))), id);
      },

      async findByUid(uid) {
        return read(await store.read((db) => findOAuthRecordByUid(db, model, uid)));
      },

      // Never called: only the device flow, which is off, uses user codes.
      async findByUserCode() {
        return undefined;
      },

      /**
       * Compare-and-set: the library reads before it consumes, so concurrent redemptions get here.
       */
      async consume(id) {
        const key = keyOf(id);
        if (await store.write((db) => consumeOAuthRecord(db, model, key, now()))) return;
        const row = await store.read((db) => findOAuthRecord(db, model, key));
        if (row?.consumedAt && isInLeeway(row.consumedAt)) return;
        throw new errors.InvalidGrant("already consumed");
      },

      async destroy(id) {
        await store.write((db) => deleteOAuthRecord(db, model, keyOf(id)));
      },

      async revokeByGrantId(grantId) {
        await store.write((db) => deleteOAuthRecordsOfGrant(db, model, grantId));
      },
    };
  };
}
