import { expect, test } from "vitest";
import { alertText } from "../support/alert-text.ts";
import { givePassword, PASSWORD, signedInBrowser } from "../support/assistant.ts";
import { Browser } from "../../examples/browser.ts";
import { insertMember } from "../../db/identity/organizations.ts";
import { findUserByEmail } from "../../db/identity/users.ts";
import { world, type Person } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

async function scene(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const acme = await w.acme();
  const path = `${acme.organization.path}/invitations`;
  return {
    w,
    ...acme,
    path,
    invite: (body: Record<string, unknown>, by: Person = acme.owner) => by.post(path, body),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

async function statusOf(link: string): Promise<number> {
  return (await new Browser().get(link)).status;
}

const JOIN = { name: "Ana", password: "a new long password" };

test("a new person follows the link, creates an account, and becomes a member with the given roles", async () => {
  await using s = await scene();
  const workspace_roles = [{ workspace_id: s.workspace.id, role: "editor" }];
  const made = await s.invite({ email: "Ana@Acme.test", role: "guest", workspace_roles });
  expect(made).toMatchObject({
    status: 201,
    body: { email: "ana@acme.test", role: "guest", workspace_roles, status: "waiting", invited_by: s.owner.id },
  });
  expect(made.body.link).toMatch(new RegExp(`^${s.w.config.baseUrl}/invitations/accept\\?link=[\\w-]{43}$`));
  const listed = await s.owner.get(s.path);
  expect(listed.body.data.map((row: object) => ({ ...row, link: made.body.link }))).toEqual([made.body]);

  const browser = new Browser();
  const page = await browser.get(made.body.link);
  expect(page.text).toMatch(/Join Acme[\s\S]*owner@acme\.test invites you[\s\S]*ana@acme\.test/);
  const refused = await browser.submit(page, { action: /\/join$/, fill: { ...JOIN, password: "short" } });
  expect([refused.status, alertText(refused.text)]).toEqual([400, "The password must have 12 to 1024 characters."]);
  const joined = await browser.submit(page, { action: /\/join$/, fill: JOIN });
  expect([joined.status, joined.url.pathname, joined.text.includes("Hello, Ana")]).toEqual([200, "/", true]);

  const ana = await findUserByEmail(openCommitted(s.w.store), "ana@acme.test");
  expect((await s.owner.get(`${s.organization.path}/members/${ana?.id}`)).body).toMatchObject({
    role: "guest",
    workspace_roles,
    status: "active",
  });
  expect((await s.owner.get(s.path)).body.data).toEqual([]);
  expect((await s.owner.get(`${s.path}?include_ended=true`)).body.data).toMatchObject([{ status: "accepted" }]);
  expect((await new Browser().get(made.body.link)).status).toBe(404);
});

test("a person with an account accepts after sign-in from the link, or immediately if signed in", async () => {
  await using s = await scene();
  const bob = await s.w.signIn("bob@else.test");
  await givePassword(s.w, bob.id);
  const { body } = await s.invite({ email: bob.email, role: "viewer" });
  const browser = new Browser();
  const signIn = /href="(\/sign-in\?next=[^"]*)"/.exec((await browser.get(body.link)).text)?.[1] ?? "";
  const form = await browser.get(new URL(signIn, s.w.config.baseUrl));
  const back = await browser.submit(form, { action: /\/sign-in$/, fill: { email: bob.email, password: PASSWORD } });
  expect(back.url.href).toBe(body.link);
  await browser.submit(back, { action: /\/accept$/ });
  expect((await bob.get("/v1/organizations")).body.data).toMatchObject([{ name: "Acme", role: "viewer" }]);
});

test("an invitation lasts seven days, can be revoked, and is replaced by a second one to the same e-mail", async () => {
  let now = Date.parse("2026-11-21T12:00:00.000Z");
  await using s = await scene({ now: () => new Date(now).toISOString() });
  const first = await s.invite({ email: "ana@acme.test" });
  const second = await s.invite({ email: "ana@acme.test" });
  expect([await statusOf(first.body.link), await statusOf(second.body.link)]).toEqual([404, 200]);
  const revoked = await s.owner.delete(`${s.path}/${second.body.id}`);
  expect(revoked.body).toMatchObject({ id: second.body.id, status: "revoked" });
  expect(await statusOf(second.body.link)).toBe(404);
  expect((await s.owner.delete(`${s.path}/${second.body.id}`)).status).toBe(404);
  const third = await s.invite({ email: "ana@acme.test" });
  now += 7 * 24 * 3_600_000 - 1000;
  expect(await statusOf(third.body.link)).toBe(200);
  now += 1000;
  expect(await statusOf(third.body.link)).toBe(404);
});

test("only owners invite, each address once, and the member quota counts invitations", async () => {
  await using s = await scene();
  const organizationId = s.organization.id;
  const editor = await s.w.signIn("editor@acme.test", { organizationId, role: "editor" });
  expect((await s.invite({ email: "x@acme.test" }, editor)).status).toBe(403);
  expect(await s.invite({ email: "editor@acme.test" })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  const rival = await s.w.insertTenant("Rival");
  const workspace_roles = [{ workspace_id: rival.workspace.id, role: "editor" }];
  expect((await s.invite({ email: "x@acme.test", workspace_roles })).status).toBe(404);
  const { body } = await s.invite({ email: "x@acme.test" });
  await s.w.store.write(async ({ q, t }) => void (await q.update(t.organizations).set({ quotas: { members: 2 } })));
  expect(await s.invite({ email: "y@acme.test" })).toMatchObject({ status: 409, body: { code: "QUOTA_EXCEEDED" } });
  const browser = new Browser();
  const full = await browser.submit(await browser.get(body.link), { action: /\/join$/, fill: JOIN });
  expect([full.status, alertText(full.text)]).toEqual([
    409,
    "This organization can have 2 members and has 2. Remove one you no longer need, or ask your administrator for more.",
  ]);
  expect(await findUserByEmail(openCommitted(s.w.store), "x@acme.test")).toBeUndefined();
});

test("only the invited e-mail can accept an invitation", async () => {
  // Attack: a person with a leaked link accepts with another account.
  await using s = await scene();
  const mallory = await s.w.signIn("mallory@rival.test");
  const { body } = await s.invite({ email: "ana@acme.test", role: "owner" });
  const browser = await signedInBrowser(s.w, mallory.email);
  const page = await browser.get(body.link);
  expect([page.status, page.text.includes("signed in as mallory@rival.test"), page.text.includes('/accept"')]).toEqual([
    200,
    true,
    false,
  ]);
  const link = new URL(body.link).searchParams.get("link") ?? "";
  const forced = await browser.post(`${s.w.config.baseUrl}/invitations/accept`, new URLSearchParams({ link }));
  expect([forced.status, alertText(forced.text)]).toEqual([
    403,
    "This invitation is for another e-mail address. Sign in with that address, or ask for an invitation to yours.",
  ]);
  expect((await mallory.get("/v1/organizations")).body.data).toEqual([]);
  expect((await new Browser().get(body.link)).status).toBe(200);
});

test("an account is not taken over by inviting its e-mail", async () => {
  // Attack: invite the e-mail of an account, and set its password on the page for new people.
  await using s = await scene();
  const victim = await s.w.signIn("victim@else.test");
  await givePassword(s.w, victim.id);
  const before = await findUserByEmail(openCommitted(s.w.store), victim.email);
  const { body } = await s.invite({ email: victim.email });
  const browser = new Browser();
  const refused = await browser.submit(await browser.get(body.link), { action: /\/join$/, fill: JOIN });
  expect([refused.status, refused.url.pathname]).toEqual([409, "/invitations/join"]);
  expect(browser.cookies.filter(({ name }) => name === "bva_session")).toEqual([]);
  expect(await findUserByEmail(openCommitted(s.w.store), victim.email)).toEqual(before);
  expect((await victim.get("/v1/organizations")).body.data).toEqual([]);
});

test("the page behind a link does not reveal whether the e-mail has an account", async () => {
  // Attack: invite many e-mails and open the links oneself, to learn which of them have accounts.
  await using s = await scene();
  await s.w.signIn("known@else.test");
  const shown = async (email: string) => {
    const { body } = await s.invite({ email });
    const { text } = await new Browser().get(body.link);
    const secret = new URL(body.link).searchParams.get("link") ?? "";
    return text
      .replaceAll(secret, "SECRET")
      .replaceAll(email, "EMAIL")
      .replaceAll(/<time.*<\/time>/g, "TIME");
  };
  expect(await shown("known@else.test")).toBe(await shown("nobody@else.test"));
});

test("creates no account at a domain verified by another organization", async () => {
  // Attack: invite an e-mail of another organization's domain, make the account, and wait until its
  // owner signs in to it.
  await using s = await scene();
  const rival = await s.w.insertTenant("Rival");
  const at = s.w.deps.now();
  await s.w.store.write(async ({ q, t }) => {
    const claim = { id: s.w.deps.newId(), organizationId: rival.organization.id, domain: "rival.test", token: "t" };
    await q.insert(t.organizationDomains).values({ ...claim, createdAt: at, verifiedAt: at });
  });
  const { body } = await s.invite({ email: "ceo@rival.test" });
  const browser = new Browser();
  const refused = await browser.submit(await browser.get(body.link), { action: /\/join$/, fill: JOIN });
  expect([refused.status, alertText(refused.text)]).toEqual([
    409,
    "The organization that owns this e-mail's domain manages its accounts. Sign in through it, then open the link again.",
  ]);
  expect(await findUserByEmail(openCommitted(s.w.store), "ceo@rival.test")).toBeUndefined();
});

test("an invitation is void once its creator is no owner", async () => {
  // Attack: inviting a second account as owner, and accepting after demotion, suspension or
  // removal.
  await using s = await scene();
  const organizationId = s.organization.id;
  const second = await s.w.signIn("second@acme.test", { organizationId, role: "owner" });
  const { body } = await s.invite({ email: "sleeper@acme.test", role: "owner" }, second);
  const member = `${s.organization.path}/members/${second.id}`;
  expect(await statusOf(body.link)).toBe(200);
  await s.owner.request("PUT", member, { body: { role: "editor" } });
  expect(await statusOf(body.link)).toBe(404);
  await s.owner.request("PUT", member, { body: { role: "owner", status: "suspended" } });
  expect(await statusOf(body.link)).toBe(404);
  await s.owner.delete(member);
  expect(await statusOf(body.link)).toBe(404);
});

test("a removed member cannot return by an earlier invitation", async () => {
  // Attack: keeping an unused invitation, being removed, and accepting it.
  await using s = await scene();
  const ana = await s.w.signIn("ana@acme.test");
  const { body } = await s.invite({ email: ana.email, role: "owner" });
  const tenant = { organizationId: s.organization.id };
  await s.w.store.write((db) =>
    insertMember({ db, ...tenant }, { userId: ana.id, role: "viewer", createdAt: s.w.deps.now() }),
  );
  const browser = await signedInBrowser(s.w, ana.email);
  const page = await browser.get(body.link);
  const higher = await browser.submit(page, { action: /\/accept$/ });
  expect([higher.status, alertText(higher.text)]).toEqual([
    409,
    "You are already a member of this organization. An owner can change your role.",
  ]);
  await s.owner.delete(`${s.organization.path}/members/${ana.id}`);
  expect((await browser.submit(page, { action: /\/accept$/ })).status).toBe(404);
  expect((await ana.get("/v1/organizations")).body.data).toEqual([]);
});

test("one link creates one member, even with concurrent uses", async () => {
  // Attack: post the form of a single-use link many times at the same moment.
  await using s = await scene();
  const { body } = await s.invite({ email: "ana@acme.test" });
  const link = new URL(body.link).searchParams.get("link") ?? "";
  const fields = () => new URLSearchParams({ link, ...JOIN });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => new Browser().post(`${s.w.config.baseUrl}/invitations/join`, fields())),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
  expect((await s.owner.get(`${s.organization.path}/members`)).body.data).toHaveLength(2);
});

test("the secret of a link is in no table and no answer but the first", async () => {
  // Attack: read the database, the list or a repeat of the request for the link.
  await using s = await scene();
  const headers = { "idempotency-key": "k1" };
  const first = await s.owner.post(s.path, { email: "ana@acme.test" }, headers);
  const again = await s.owner.post(s.path, { email: "ana@acme.test" }, headers);
  expect([again.status, again.body]).toEqual([201, { ...first.body, link: null }]);
  const secret = new URL(first.body.link).searchParams.get("link") ?? "";
  await s.w.deps.audit.flush();
  const { q, t } = openCommitted(s.w.store);
  const rows = [
    await q.select().from(t.invitations),
    await q.select().from(t.auditLog),
    await q.select().from(t.idempotencyKeys),
    (await s.owner.get(`${s.path}?include_ended=true`)).body,
  ];
  expect(JSON.stringify(rows)).not.toContain(secret);
});
