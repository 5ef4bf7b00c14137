import { asc, gt } from "drizzle-orm";
import { toInstallationSealContext } from "./installation-secrets.ts";
import { toOauthClientSealContext } from "./oauth-records.ts";
import { toConsentSealContext } from "../platforms/platform-consents.ts";
import { toPlatformSealContext } from "../platforms/platform-connections.ts";
import { partnerTokenLocation } from "../platforms/partner-connections.ts";
import { toSigningKeySealContext } from "./signing-keys.ts";
import { toSsoClientSealContext as ssoSecretPlace } from "./sso.ts";
import { heldFormLocation } from "./held-forms.ts";
import { toTotpSealContext } from "./second-factors/second-factors.ts";
import { greaterThan, matches, updateRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

// Not tenant-scoped: re-encryption covers the installation and returns no plain text.

export interface SealedColumn {
  name: string;
  /** Binds the sealed text to its row. */
  location(id: string): string;
  /** Ordered by id, after `after`. `sealed` is empty for a row without a sealed text. */
  list(db: Db, after: string, limit: number): Promise<{ id: string; sealed: string }[]>;
  replace(db: Db, id: string, sealed: string): Promise<void>;
}

/** A column missing here is lost when the master key changes. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    name: "installation_secrets.sealed_value",
    location: toInstallationSealContext,
    list: ({ q, t: { installationSecrets: t } }, after, limit) =>
      q
        .select({ id: t.name, sealed: t.sealedValue })
        .from(t)
        .where(gt(t.name, after))
        .orderBy(asc(t.name))
        .limit(limit),
    async replace({ q, t: { installationSecrets: t } }, id, sealed) {
      await updateRows(q, t, { name: id }, { sealedValue: sealed });
    },
  },
  {
    name: "signing_keys.sealed_private_jwk",
    location: toSigningKeySealContext,
    list: ({ q, t: { signingKeys: t } }, after, limit) =>
      q
        .select({ id: t.kid, sealed: t.sealedPrivateJwk })
        .from(t)
        .where(gt(t.kid, after))
        .orderBy(asc(t.kid))
        .limit(limit),
    async replace({ q, t: { signingKeys: t } }, id, sealed) {
      await updateRows(q, t, { kid: id }, { sealedPrivateJwk: sealed });
    },
  },
  {
    name: "oauth_records.payload.client_secret",
    location: toOauthClientSealContext,
    async list({ q, t: { oauthRecords: t } }, after, limit) {
      const rows = await q
        .select({ id: t.id, payload: t.payload })
        .from(t)
        .where(matches(t, { model: "Client", id: greaterThan(after) }))
        .orderBy(asc(t.id))
        .limit(limit);
      return rows.map(({ id, payload: { client_secret: sealed } }) => ({
        id,
        sealed: typeof sealed === "string" ? sealed : "",
      }));
    },
    async replace({ q, t: { oauthRecords: t } }, id, sealed) {
      const client = matches(t, { model: "Client", id });
      const [row] = await q.select({ payload: t.payload }).from(t).where(client);
      if (row) await updateRows(q, t, client, { payload: { ...row.payload, client_secret: sealed } });
    },
  },
  {
    name: "partner_connections.sealed_token",
    location: partnerTokenLocation,
    list: ({ q, t: { partnerConnections: t } }, after, limit) =>
      q
        .select({ id: t.workspaceId, sealed: t.sealedToken })
        .from(t)
        .where(gt(t.workspaceId, after))
        .orderBy(asc(t.workspaceId))
        .limit(limit),
    async replace({ q, t: { partnerConnections: t } }, id, sealed) {
      await updateRows(q, t, { workspaceId: id }, { sealedToken: sealed });
    },
  },
  {
    name: "sso_configurations.sealed_client_secret",
    location: ssoSecretPlace,
    async list({ q, t: { ssoConfigurations: t } }, after, limit) {
      const rows = await q
        .select({ id: t.organizationId, sealed: t.sealedClientSecret })
        .from(t)
        .where(gt(t.organizationId, after))
        .orderBy(asc(t.organizationId))
        .limit(limit);
      return rows.map(({ id, sealed }) => ({ id, sealed: sealed ?? "" }));
    },
    async replace({ q, t: { ssoConfigurations: t } }, id, sealed) {
      await updateRows(q, t, { organizationId: id }, { sealedClientSecret: sealed });
    },
  },
  {
    name: "platform_connections.sealed_tokens",
    location: toPlatformSealContext,
    list: ({ q, t: { platformConnections: t } }, after, limit) =>
      q.select({ id: t.id, sealed: t.sealedTokens }).from(t).where(gt(t.id, after)).orderBy(asc(t.id)).limit(limit),
    async replace({ q, t: { platformConnections: t } }, id, sealed) {
      await updateRows(q, t, { id }, { sealedTokens: sealed });
    },
  },
  {
    name: "totp_factors.sealed_secret",
    location: toTotpSealContext,
    list: ({ q, t: { totpFactors: t } }, after, limit) =>
      q
        .select({ id: t.userId, sealed: t.sealedSecret })
        .from(t)
        .where(gt(t.userId, after))
        .orderBy(asc(t.userId))
        .limit(limit),
    async replace({ q, t: { totpFactors: t } }, id, sealed) {
      await updateRows(q, t, { userId: id }, { sealedSecret: sealed });
    },
  },
  {
    name: "held_forms.sealed_fields",
    location: heldFormLocation,
    list: ({ q, t: { heldForms: t } }, after, limit) =>
      q
        .select({ id: t.secretHash, sealed: t.sealedFields })
        .from(t)
        .where(gt(t.secretHash, after))
        .orderBy(asc(t.secretHash))
        .limit(limit),
    async replace({ q, t: { heldForms: t } }, id, sealed) {
      await updateRows(q, t, { secretHash: id }, { sealedFields: sealed });
    },
  },
  {
    name: "platform_consents.sealed_proof",
    location: toConsentSealContext,
    list: ({ q, t: { platformConsents: t } }, after, limit) =>
      q
        .select({ id: t.stateHash, sealed: t.sealedProof })
        .from(t)
        .where(gt(t.stateHash, after))
        .orderBy(asc(t.stateHash))
        .limit(limit),
    async replace({ q, t: { platformConsents: t } }, id, sealed) {
      await updateRows(q, t, { stateHash: id }, { sealedProof: sealed });
    },
  },
];
