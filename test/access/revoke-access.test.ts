import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { revokeAllAccess, revokeOrganizationAccess, endSessions } from "../../db/identity/revoke-access.ts";
import { openWebSessions } from "../../auth/people/web-sessions.ts";
import { insertMember } from "../../db/identity/organizations.ts";
import { createOAuthClient, REDIRECT, signedInBrowser } from "../support/assistant.ts";
import { ALL_WORKING, NONE_WORKING, toolCallStatus, openCredentials } from "./credentials.ts";
import { world } from "../support/world.ts";
import { providerProof } from "../sign-in/address-proof.ts";

test("signing out everywhere ends browsers and assistants at their next call, and keeps API keys", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const state = await openCredentials(w, owner, organization.id);
  expect(await state()).toEqual(ALL_WORKING);
  await w.store.write((db) => endSessions(db, owner.id));
  expect(await state()).toEqual({ ...NONE_WORKING, userKey: 200, organizationKey: 200 });
});

test("ending everything ends keys too", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const state = await openCredentials(w, owner, organization.id);
  await w.store.write((db) => revokeAllAccess(db, owner.id, w.deps.now()));
  expect(await state()).toEqual(NONE_WORKING);
});

test("an organization revokes its own keys and the sign-ins of its provider, and nothing else", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const other = await w.insertTenant("Other");
  await w.store.write((db) =>
    insertMember(
      { db, organizationId: other.organization.id },
      { userId: owner.id, role: "owner", createdAt: w.deps.now() },
    ),
  );
  const state = await openCredentials(w, owner, organization.id);
  const end = (organizationId: string) =>
    w.store.write((db) => revokeOrganizationAccess({ db, organizationId }, owner.id, w.deps.now()));
  await end(other.organization.id);
  expect(await state()).toEqual(ALL_WORKING);
  await end(organization.id);
  expect(await state()).toEqual({ ...ALL_WORKING, organizationKey: 401 });

  const through = { userId: owner.id, proofId: await providerProof(w, owner.id, organization.id) };
  const cookie = await openWebSessions(w.store, { isSecure: false }).start(through, w.deps.now());
  const browser = await signedInBrowser(w, owner.email, (url) => url.href.startsWith(REDIRECT));
  for (const held of browser.cookies) held.value = cookie;
  const client = await createOAuthClient(w);
  const { body: tokens } = await client.connect({ browser });
  expect(await toolCallStatus(w, tokens.access_token as string)).toBe(200);
  await end(organization.id);
  expect(await toolCallStatus(w, tokens.access_token as string)).toBe(401);
  expect((await browser.get(`${w.config.baseUrl}/organizations`)).url.pathname).toBe("/sign-in");
});

test("a suspended member loses access to the organization, and regains it afterwards", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const member = await w.signIn("member@acme.test", { organizationId: organization.id, role: "editor" });
  const suspend = (suspendedAt: string | null) =>
    w.store.write(async ({ q, t }) => {
      await q.update(t.organizationMembers).set({ suspendedAt }).where(eq(t.organizationMembers.userId, member.id));
    });
  const seen = async () => ({
    organization: (await member.get(organization.path)).status,
    brands: (await member.get(`${workspace.path}/brands`)).status,
    organizations: (await member.get("/v1/organizations")).body.data.length as number,
    workspaces: (await member.get("/v1/workspaces")).body.data.length as number,
  });
  const before = { organization: 200, brands: 200, organizations: 1, workspaces: 1 };
  expect(await seen()).toEqual(before);
  await suspend(w.deps.now());
  expect(await seen()).toEqual({ organization: 404, brands: 404, organizations: 0, workspaces: 0 });
  await suspend(null);
  expect(await seen()).toEqual(before);
});
