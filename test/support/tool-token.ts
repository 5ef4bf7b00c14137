import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import type { Caller, VerifiedToken } from "../../auth/caller.ts";
import { openKeyRing } from "../../auth/keys/key-ring.ts";
import { openSigningKeys } from "../../auth/keys/signing-keys.ts";
import { getMasterKeys } from "../../src/config/config.ts";
import { localProof } from "../sign-in/address-proof.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import type { Store } from "../../db/engine/store.ts";
import { SCOPES, type Scope } from "../../core/identity/roles.ts";
import type { world } from "./world.ts";

function onError(error: unknown): never {
  throw error;
}

type World = Awaited<ReturnType<typeof world>>;

/** The signing keys of a running service. */
export async function signingKeysOf({ store, config, deps }: World) {
  const secrets = openKeyRing(config.DATA_DIR, getMasterKeys(config));
  return (await openSigningKeys({ store, secrets, now: deps.now, onError })).getKeySet();
}

/** The caller behind an access token, as its interface finds them. */
export async function findCallerOf(
  tokens: { verify(token: string, now: Instant): Promise<VerifiedToken> },
  store: Store,
  token: string,
  now: Instant,
): Promise<Caller> {
  const proven = await tokens.verify(token, now);
  return store.read((db) => proven.loadCaller(db));
}

/** A consent grant of one person to one client. */
export async function insertGrant(
  { store, deps }: World,
  grant: { userId: string; clientId: string; workspaceId?: string },
) {
  const grantId = deps.newId();
  const { userId: accountId, clientId, workspaceId } = grant;
  const createdAt = deps.now();
  await store.write(async (db) => {
    const proofId = await localProof(db, accountId, { now: createdAt, newId: deps.newId });
    await db.q.insert(db.t.oauthRecords).values({
      model: "Grant",
      id: grantId,
      payload: { accountId, clientId },
      accountId,
      clientId,
      proofId,
      workspaceId,
      createdAt,
      expiresAt: addMs(createdAt, 86_400_000),
    });
  });
  return grantId;
}

/**
 * A signed-in assistant without browser pages: a stored grant and an access token as the
 * authorization server issues it.
 */
export async function mintToolToken(
  w: World,
  person: { id: string },
  options: {
    scopes?: readonly Scope[];
    clientId?: string;
    audience?: string;
    expiresInSeconds?: number;
    workspaceId?: string;
  } = {},
): Promise<{ token: string; grantId: string; clientId: string }> {
  const clientId = options.clientId ?? "test-assistant";
  const { workspaceId } = options;
  const grantId = await insertGrant(w, {
    userId: person.id,
    clientId,
    ...(workspaceId !== undefined && { workspaceId }),
  });
  const keys = await signingKeysOf(w);
  const issuedAt = Math.floor(Date.parse(w.deps.now()) / 1000);
  const scope = (options.scopes ?? Object.keys(SCOPES)).join(" ");
  const token = await new SignJWT({ client_id: clientId, gid: grantId, scope })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: keys.kid })
    .setIssuer(w.config.baseUrl)
    .setAudience(options.audience ?? w.config.mcpUrl)
    .setSubject(person.id)
    .setJti(randomBytes(16).toString("base64url"))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + (options.expiresInSeconds ?? 900))
    .sign(keys.privateKey);
  return { token, grantId, clientId };
}
