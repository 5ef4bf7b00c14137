import { and, eq } from "drizzle-orm";
import { authorise } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import { formatApiKeyHint, newApiKey } from "../../auth/keys/api-key.ts";
import { EVERY_SCOPE } from "../../auth/oauth/rest-tokens.ts";
import { acceptInvitation, joinByInvitation, newInvitationSecret } from "../../auth/people/invitations.ts";
import { proveByLink } from "../../auth/people/prove-address.ts";
import { setPassword } from "../../auth/people/set-password.ts";
import { openWebSessions } from "../../auth/people/web-sessions.ts";
import { linkIdentity } from "../../auth/sso/link-identity.ts";
import { insertApiKey } from "../../db/identity/api-keys.ts";
import { findDomain, insertDomain, markDomainVerified, deleteDomain } from "../../db/identity/domains/domains.ts";
import { insertInvitation } from "../../db/identity/invitations.ts";
import { removeMember, resumeMember, suspendMember } from "../../db/identity/members.ts";
import { findSsoConfiguration } from "../../db/identity/sso.ts";
import { insertMember } from "../../db/identity/organizations.ts";
import { findActiveGrant } from "../../db/identity/oauth-records.ts";
import { findUserByEmail, insertUser } from "../../db/identity/users.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { OrganizationRole } from "../../core/identity/roles.ts";
import { cheapHash } from "../support/assistant.ts";
import { scimUser, provisionedClient, type ScimClient } from "../scim/client.ts";
import { findCallerOf, insertGrant } from "../support/tool-token.ts";
import { world } from "../support/world.ts";
import { configureSso, OIDC } from "./scene.ts";

// Accounts in two organizations, each with a provider and a directory, and which side could know
// their credentials.

export type Side = "a" | "b";

/**
 * A credential of an account, and the side that could know it; null for only the person and the
 * operator.
 */
export interface Credential {
  userId: string;
  knownTo: Side | null;
  kind: "session" | "key" | "grant";
  /** A cookie, a key, or the id of a grant. */
  value: string;
}

interface Link {
  side: Side;
  email: string;
  secret: string;
}

/**
 * Two organizations on one service with their steps on accounts. A rejected step changes nothing.
 */
export async function accountScene() {
  const w = await world({ env: { RATE_LIMIT_KEY: "0", RATE_LIMIT_ADDRESS: "0" } });
  const sessions = openWebSessions(w.store, { isSecure: false });
  const { now, newId } = w.deps;
  const at = () => ({ now: now(), newId });
  const sides = { a: await openSide("A"), b: await openSide("B") };
  let credentials: Credential[] = [];
  let links: Link[] = [];
  /** Sides whose credentials accepted an invitation, so the organization admitted them itself. */
  let letIn = new Set<string>();

  async function openSide(name: string) {
    const tenant = await w.insertTenant(name);
    const owner = await w.signIn(`owner@${name.toLowerCase()}.test`, {
      organizationId: tenant.organization.id,
      role: "owner",
    });
    await configureSso(w, { owner, ...tenant }, { ...OIDC, issuer: `https://idp.${name.toLowerCase()}.test` });
    const scim: ScimClient = await provisionedClient(w, { owner, ...tenant });
    return { ...tenant, id: tenant.organization.id, owner, scim };
  }

  const tenantOf = (side: Side) => ({ db: undefined as never, organizationId: sides[side].id });
  const account = (email: string) => w.store.read((db) => findUserByEmail(db, email));

  /** Everything that a sign-in can be turned into. */
  async function gain(userId: string, proofId: string | null, knownTo: Side | null): Promise<void> {
    const cookie = await sessions.start({ userId, proofId }, now());
    const found = await sessions.find(`${sessions.cookieName}=${cookie}`, now());
    if (!found) throw new Error("a new session opens nothing");
    const secret = newApiKey("user");
    const clientId = "assistant";
    const grantId = await insertGrant(w, { userId, clientId });
    await w.store.write(async (db) => {
      await insertApiKey(db, {
        id: newId(),
        kind: "user",
        name: "life",
        userId,
        proofId: found.proof.id,
        keyHash: w.deps.restTokens.hashApiKey(secret),
        hint: formatApiKeyHint(secret),
        createdAt: now(),
      });
      const { q, t } = db;
      await q
        .update(t.oauthRecords)
        .set({ proofId: found.proof.id })
        .where(and(eq(t.oauthRecords.model, "Grant"), eq(t.oauthRecords.id, grantId)));
    });
    credentials.push(
      { userId, knownTo, kind: "session", value: cookie },
      { userId, knownTo, kind: "key", value: secret },
      { userId, knownTo, kind: "grant", value: grantId },
    );
  }

  /** The caller of a credential; undefined if it has ended. */
  async function callerOf({ userId, kind, value }: Credential): Promise<Caller | undefined> {
    const base = { userId, clientId: null, scopes: EVERY_SCOPE, reach: null, signedInAt: null };
    if (kind === "session") {
      const visitor = await sessions.find(`${sessions.cookieName}=${value}`, now());
      return visitor && { ...base, door: "web", proof: visitor.proof };
    }
    if (kind === "key") {
      const pair = await w.store
        .write((db) => w.deps.restTokens.exchangeApiKey(db, value, now(), newId))
        .catch((error: unknown) => ended(error));
      return pair && findCallerOf(w.deps.restTokens, w.store, pair.access_token, now());
    }
    const grant = await w.store.read((db) =>
      findActiveGrant(db, { grantId: value, userId, clientId: "assistant" }, now()),
    );
    return grant && { ...base, door: "mcp", proof: grant.proof };
  }

  /** True if the credential opens the organization. */
  async function reaches(credential: Credential, side: Side): Promise<boolean> {
    const caller = await callerOf(credential);
    if (!caller) return false;
    const target = { organizationId: sides[side].id, workspaceId: null, projectId: null };
    const need = { access: { organization: "guest" }, scope: "read", isWrite: false } as const;
    return w.store.read((db) =>
      authorise(need, target, caller, db).then(
        () => true,
        (error: unknown) => ended(error) !== undefined,
      ),
    );
  }

  const life = {
    w,
    sides,
    credentials: () => credentials,
    account,
    reaches,
    isLetIn: (side: Side, { knownTo, userId }: Credential) => letIn.has(`${side} ${knownTo} ${userId}`),

    /** Both organizations as they were, and no credential. */
    async begin(): Promise<void> {
      [credentials, links, letIn] = [[], [], new Set()];
      for (const side of ["a", "b"] as const) await life.require(side, false);
    },
    invite: (side: Side, email: string, role: OrganizationRole = "viewer") =>
      w.store.write(async (db) => {
        const { secret, secretHash, expiresAt } = newInvitationSecret(now());
        const rest = { workspaceRoles: [], createdAt: now(), acceptedAt: null, acceptedBy: null, revokedAt: null };
        const invitation = {
          id: newId(),
          email,
          role,
          secretHash,
          expiresAt,
          invitedBy: sides[side].owner.id,
          ...rest,
        };
        await insertInvitation({ db, organizationId: sides[side].id }, invitation);
        links.push({ side, email, secret });
      }),
    /**
     * Follows the newest invitation link to this address, with a new account or signed in to the
     * existing one.
     */
    async join(email: string): Promise<void> {
      const link = links.findLast((one) => one.email === email);
      if (!link) return;
      const known = await account(email);
      if (!known) {
        const made = { id: newId(), name: "Person", passwordHash: await cheapHash() };
        const joined = await unlessRefused(w.store.write((db) => joinByInvitation(db, link.secret, made, at())));
        if (joined) await gain(made.id, null, link.side);
        return;
      }
      const session = credentials.findLast(({ userId, kind }) => userId === known.id && kind === "session");
      const proof = session && (await callerOf(session))?.proof;
      if (!session || !proof) return;
      const done = w.store.write((db) => acceptInvitation(db, link.secret, { id: known.id, email, proof }, now()));
      if ((await unlessRefused(done)) && session.knownTo !== null)
        letIn.add(`${link.side} ${session.knownTo} ${known.id}`);
    },
    /** The operator creates an account with a password, as an owner of the side. */
    async settle(side: Side, email: string): Promise<void> {
      if (await account(email)) return;
      const [id, passwordHash] = [newId(), await cheapHash()];
      await w.store.write(async (db) => {
        await insertUser(db, { id, email, name: "Person", passwordHash, createdAt: now() });
        await proveByLink(db, { userId: id, email, organizationId: null }, at());
        await insertMember({ db, organizationId: sides[side].id }, { userId: id, role: "owner", createdAt: now() });
      });
      await gain(id, null, null);
    },
    /** The side's provider asserts this address for its person. */
    async signIn(side: Side, email: string): Promise<void> {
      const come = w.store.write(async (db) => {
        const configuration = await findSsoConfiguration({ db, organizationId: sides[side].id });
        if (!configuration) throw new Error("the provider is gone");
        const identity = {
          issuer: configuration.issuer,
          subject: `${side} ${email}`,
          email,
          emailVerified: true,
          authenticatedAt: null,
        };
        return linkIdentity(db, configuration, { ...identity, name: "Person", groups: [] }, now(), newId);
      });
      const signedIn = await unlessRefused(come);
      if (signedIn) await gain(signedIn.userId, signedIn.proofId, side);
    },
    provision: (side: Side, email: string) => sides[side].scim.create("/Users", scimUser(email)),
    async rename(side: Side, email: string, to: string): Promise<void> {
      const id = await scimIdOf(side, email);
      const value = [{ value: to, primary: true }];
      if (id !== undefined)
        await sides[side].scim.patch(`/Users/${id}`, [
          { op: "replace", path: "userName", value: to },
          { op: "replace", path: "emails", value },
        ]);
    },
    async activate(side: Side, email: string, active: boolean): Promise<void> {
      const id = await scimIdOf(side, email);
      if (id !== undefined)
        await sides[side].scim.patch(`/Users/${id}`, [{ op: "replace", path: "active", value: active }]);
    },
    async unprovision(side: Side, email: string): Promise<void> {
      const id = await scimIdOf(side, email);
      if (id !== undefined) await sides[side].scim.remove(`/Users/${id}`);
    },
    verify: (side: Side, domain: string) =>
      unlessRefused(
        w.store.write(async (db) => {
          const tenant = { ...tenantOf(side), db };
          const claim =
            (await findDomain(tenant, { domain })) ??
            (await insertDomain(tenant, { id: newId(), domain, token: "t", createdAt: now() }));
          await markDomainVerified(tenant, claim, { by: "dns", at: now() });
          return true;
        }),
      ),
    lose: (side: Side, domain: string) =>
      w.store.write(async (db) => {
        const tenant = { ...tenantOf(side), db };
        const claim = await findDomain(tenant, { domain });
        if (claim) await deleteDomain(tenant, claim.id);
      }),
    suspend: (side: Side, email: string, suspended: boolean) =>
      onMember(side, email, (tenant, id) => (suspended ? suspendMember(tenant, id, now()) : resumeMember(tenant, id))),
    remove: (side: Side, email: string) => onMember(side, email, (tenant, id) => removeMember(tenant, id, now())),
    require: (side: Side, isRequired: boolean) =>
      w.store.write(async ({ q, t }) => {
        const { ssoConfigurations: sso } = t;
        await q.update(sso).set({ isRequired }).where(eq(sso.organizationId, sides[side].id));
      }),
    /** The operator gives the person a reset link after verifying their identity. */
    async reset(email: string): Promise<void> {
      const user = await account(email);
      if (!user || user.managedByOrganizationId !== null || user.disabledAt !== null) return;
      const passwordHash = await cheapHash();
      await w.store.write(async (db) => {
        await setPassword(db, user.id, passwordHash);
        await proveByLink(db, { userId: user.id, email, organizationId: null }, at());
      });
      await gain(user.id, null, null);
    },
    async [Symbol.asyncDispose]() {
      await sessions.close();
      await w[Symbol.asyncDispose]();
    },
  };

  async function scimIdOf(side: Side, email: string): Promise<string | undefined> {
    const { body } = await sides[side].scim.find("/Users", `userName eq "${email}"`);
    return body.Resources[0]?.id as string | undefined;
  }

  async function onMember(
    side: Side,
    email: string,
    change: (tenant: Parameters<typeof removeMember>[0], userId: string) => Promise<unknown>,
  ): Promise<void> {
    const user = await account(email);
    if (!user) return;
    await unlessRefused(w.store.write((db) => change({ db, organizationId: sides[side].id }, user.id)));
  }
  return life;
}

export type AccountScene = Awaited<ReturnType<typeof accountScene>>;

/** Undefined if the service rejected the work; other errors fail the test. */
function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => ended(error));
}

function ended(error: unknown): undefined {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  return undefined;
}
