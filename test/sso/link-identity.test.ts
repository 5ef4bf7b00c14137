import { expect, test } from "vitest";
import { linkIdentity } from "../../auth/sso/link-identity.ts";
import type { ProvenIdentity } from "../../auth/sso/proven-identity.ts";
import { provisionMember, renameAccount } from "../../auth/sso/provisioning.ts";
import type { Db } from "../../db/engine/store.ts";
import { findMembership } from "../../db/identity/organizations.ts";
import { findUser } from "../../db/identity/users.ts";
import { addMs } from "../../core/shared/time.ts";
import { world } from "../support/world.ts";
import { configureSso, OIDC, verifyDomain, type World } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

const ANN: ProvenIdentity = {
  issuer: "https://idp.acme.test",
  subject: "ann-1",
  email: "Ann@acme.test",
  emailVerified: true,
  name: "Ann",
  groups: [],
  authenticatedAt: null,
};

const FOREIGN =
  "FORBIDDEN This organization does not use single sign-on for your e-mail domain. Ask an owner to verify and allow it.";

async function scene(w: World, settings: Record<string, unknown> = {}) {
  const acme = await w.acme();
  await verifyDomain(w, acme.organization.id, "acme.test");
  const configuration = await configureSso(w, acme, { ...OIDC, ...settings });
  const tenant = { db: openCommitted(w.store), organizationId: acme.organization.id };
  const come = (identity: Partial<ProvenIdentity> = {}) =>
    w.store.write((db) => linkIdentity(db, configuration, { ...ANN, ...identity }, w.deps.now(), w.deps.newId));
  const refusal = (identity: Partial<ProvenIdentity>) =>
    come(identity).then(
      () => "came in",
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    );
  return { ...acme, come, refusal, roleOf: async (id: string) => (await findMembership(tenant, id))?.role };
}

test("creates an account with the default role for a person of a verified domain, and finds it again each time", async () => {
  await using w = await world();
  const { come, roleOf, organization } = await scene(w);
  const { userId } = await come();
  expect(await findUser(openCommitted(w.store), userId)).toMatchObject({
    email: "ann@acme.test",
    name: "Ann",
    passwordHash: null,
    managedByOrganizationId: organization.id,
  });
  expect(await roleOf(userId)).toBe("viewer");
  // Issuer and subject identify the person: a new name, e-mail or lost verification changes
  // nothing.
  const again = await come({ email: "ann.new@acme.test", emailVerified: false, name: "Ann B" });
  expect(again).toMatchObject({ userId });
  expect((await come({ subject: "ann-2", email: "second@acme.test" })).userId).not.toBe(userId);
});

test("links an existing account with the e-mail, and keeps its role", async () => {
  await using w = await world();
  const { come, roleOf, organization, owner } = await scene(w);
  const editor = await w.signIn("ann@acme.test", { organizationId: organization.id, role: "editor" });
  expect(await come()).toMatchObject({ userId: editor.id });
  expect(await roleOf(editor.id)).toBe("editor");
  expect(await come({ subject: "boss", email: owner.email })).toMatchObject({ userId: owner.id });
  expect(await roleOf(owner.id)).toBe("owner");
});

test("takes over no account by an e-mail of a foreign domain", async () => {
  // Account takeover by an organization's own provider that claims somebody else's address.
  await using w = await world();
  const { come, refusal, organization } = await scene(w);
  const victim = await w.signIn("victim@rival.test", { organizationId: organization.id, role: "viewer" });
  expect(await refusal({ email: victim.email })).toBe(FOREIGN);
  expect(await refusal({ email: "new@rival.test" })).toBe(FOREIGN);
  for (const email of ["x@sub.acme.test", "x@acme.test.evil.test", "x@evil.test@acme.test", "x@evilacme.test"]) {
    expect([email, await refusal({ email })]).toEqual([email, expect.stringMatching(/^FORBIDDEN/)]);
  }
  expect((await come()).userId).not.toBe(victim.id);
});

test("links no account by an e-mail that the provider does not assert as verified", async () => {
  // Attack: take over an account by entering its address at a provider that does not verify it.
  await using w = await world();
  const { refusal } = await scene(w);
  expect(await refusal({ emailVerified: false })).toBe(
    "FORBIDDEN Your identity provider did not mark your e-mail as verified. Verify it there first.",
  );
  expect(await refusal({ email: null })).toBe(
    "FORBIDDEN Your identity provider sent no e-mail address. Ask its administrator to release it to this service.",
  );
});

test("rejects disabled, suspended and unknown people and says what to do", async () => {
  await using w = await world();
  const { come, refusal, organization } = await scene(w);
  const { userId } = await come();
  const at = w.deps.now();
  await w.store.write(async ({ q, t }) => void (await q.update(t.organizationMembers).set({ suspendedAt: at })));
  expect(await refusal({})).toBe("FORBIDDEN Your membership of this organization is suspended. Ask an owner of it.");
  await w.store.write(async ({ q, t }) => void (await q.update(t.users).set({ disabledAt: at })));
  expect(await refusal({})).toBe("FORBIDDEN This account is disabled. Contact your administrator.");
  expect(userId).not.toBe(organization.id);
});

test("admits only members without just-in-time accounts", async () => {
  await using w = await world();
  const { refusal, come, organization } = await scene(w, { makes_accounts: false });
  const unknown = await refusal({});
  expect(unknown).toBe(
    "FORBIDDEN You are not a member of this organization yet. Ask an owner to add you, then sign in again.",
  );
  const outsider = await w.signIn("ann@acme.test");
  expect(await refusal({})).toBe(unknown);
  await w.signIn("ann@acme.test", { organizationId: organization.id, role: "guest" });
  expect(await come()).toMatchObject({ userId: outsider.id });
});

test("admits only allowed domains among the verified ones, also for linked people", async () => {
  await using w = await world();
  const acme = await scene(w, { allowed_domains: ["acme.example"] });
  await verifyDomain(w, acme.organization.id, "acme.example");
  expect(await acme.refusal({})).toBe(FOREIGN);
  expect(await acme.refusal({ email: "ann@acme.example" })).toBe("came in");
});

test("applies the strongest role of a person's groups at every sign-in, never the owner role", async () => {
  await using w = await world();
  const group_roles = [
    { group: "Analysts", role: "viewer" },
    { group: "Editors", role: "editor" },
  ];
  const { come, roleOf, owner } = await scene(w, { default_role: "guest", group_roles });
  const { userId } = await come({ groups: ["Analysts", "Editors", "Others"] });
  expect(await roleOf(userId)).toBe("editor");
  await come({ groups: ["Analysts"] });
  expect(await roleOf(userId)).toBe("viewer");
  await come({ groups: [] });
  expect(await roleOf(userId)).toBe("guest");
  await come({ subject: "boss", email: owner.email, groups: ["Analysts"] });
  expect(await roleOf(owner.id)).toBe("owner");
});

test("creates no links or accounts for a lapsed domain, and still admits linked people", async () => {
  await using w = await world();
  const { come, refusal, organization } = await scene(w);
  const { userId } = await come();
  await w.signIn("member@acme.test", { organizationId: organization.id, role: "editor" });
  const warned = async (daysAgo: number) =>
    w.store.write(async ({ q, t }) => {
      await q.update(t.organizationDomains).set({ warnedAt: addMs(w.deps.now(), -daysAgo * 86_400_000) });
    });
  const tenant = (db: Db) => ({ db, organizationId: organization.id });
  const provision = (email: string) =>
    w.store
      .write((db) => provisionMember(tenant(db), { email, name: "P" }, { now: w.deps.now(), newId: w.deps.newId }))
      .then(
        () => "provisioned",
        (error: { code: string }) => error.code,
      );
  await warned(6.9);
  expect(await come({ subject: "early", email: "early@acme.test" })).toMatchObject({ userId: expect.any(String) });
  expect(await provision("directory@acme.test")).toBe("provisioned");
  await warned(7.1);
  expect(await come()).toMatchObject({ userId });
  const missing = expect.stringMatching(/^FORBIDDEN No new person can sign in with your e-mail domain/) as unknown;
  for (const email of ["late@acme.test", "member@acme.test"]) {
    expect(await refusal({ subject: "late", email })).toEqual(missing);
    expect(await provision(email)).toBe("VALIDATION_FAILED");
  }
  const rename = async (email: string) =>
    w.store.write((db) => renameAccount(tenant(db), userId, { email, name: "Ann C" }, w.deps.now()));
  await rename("ann@acme.test");
  expect(await findUser(openCommitted(w.store), userId)).toMatchObject({ name: "Ann C" });
  await expect(rename("other@acme.test")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});
