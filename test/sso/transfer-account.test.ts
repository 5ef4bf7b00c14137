import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { proveByOrganization } from "../../auth/people/prove-address.ts";
import { PASSWORD, signedInBrowser } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { accountScene, type Credential, type AccountScene, type Side } from "./account-scene.ts";

// Attacks from one organization on another through accounts. Each test names its attack.

const CEO = "ceo@big.test";

async function ownFor(life: AccountScene, known: Side): Promise<Credential[]> {
  return life.credentials().filter((one) => one.knownTo === known);
}

async function open(life: AccountScene, credentials: readonly Credential[], side: Side): Promise<boolean[]> {
  return Promise.all(credentials.map((one) => life.reaches(one, side)));
}

async function audited(life: AccountScene, side: Side, endpoint: string) {
  const { q, t } = openCommitted(life.w.store);
  const rows = await q.select().from(t.auditLog).where(eq(t.auditLog.endpoint, endpoint));
  return rows
    .filter(({ organizationId }) => organizationId === life.sides[side].id)
    .map(({ userId, door, outcome, text }) => ({ userId, door, outcome, text }));
}

async function membersOf(life: AccountScene, side: Side): Promise<{ id: string; email: string; role: string }[]> {
  const { body } = await life.sides[side].owner.get(`${life.sides[side].organization.path}/members?limit=100`);
  return body.data;
}

test("attack: an owner invites a stranger's address, opens the link and keeps a password and a key for later", async () => {
  await using life = await accountScene();
  const { w } = life;
  await life.invite("a", CEO);
  await life.join(CEO);
  const attackers = await ownFor(life, "a");
  const impostor = await life.account(CEO);
  const browser = await signedInBrowser(w, CEO);
  await life.verify("b", "big.test");
  await life.signIn("b", CEO);

  const real = await life.account(CEO);
  expect(real?.id).not.toBe(impostor?.id);
  expect(real).toMatchObject({ managedByOrganizationId: life.sides.b.id, passwordHash: null });
  expect(await open(life, attackers, "b")).toEqual([false, false, false]);
  expect(await open(life, attackers, "a")).toEqual([false, false, false]);
  expect(await open(life, await ownFor(life, "b"), "b")).toEqual([true, true, true]);
  expect((await browser.get(`${w.config.baseUrl}/organizations`)).url.pathname).toBe("/sign-in");
  const page = await browser.get(`${w.config.baseUrl}/sign-in`);
  expect((await browser.submit(page, { action: /\/sign-in$/, fill: { email: CEO, password: PASSWORD } })).status).toBe(
    401,
  );
  const key = attackers.find(({ kind }) => kind === "key")?.value;
  expect((await w.request("POST", "/v1/auth/token", { body: { api_key: key } })).status).toBe(401);

  // The first organization's membership stays with an account that opens nothing.
  const left = (await membersOf(life, "a")).find(({ id }) => id === impostor?.id);
  expect(left?.email).toMatch(/^ceo@big\.test\.[0-9a-f]{12}\.invalid$/);
  expect((await membersOf(life, "b")).map(({ email }) => email)).toContain(CEO);
});

test("notifies both sides of a hand-over, on every page until it is read and in both audit logs", async () => {
  await using life = await accountScene();
  const { w } = life;
  await life.invite("a", CEO);
  await life.join(CEO);
  const before = await life.account(CEO);
  await life.verify("b", "big.test");
  await life.signIn("b", CEO);
  const after = await life.account(CEO);
  const told = { door: "web", outcome: "ok", text: `Handed the account of “${CEO}” over to its owner` };
  expect(await audited(life, "a", "handOverAccount")).toEqual([{ ...told, userId: before?.id }]);
  expect(await audited(life, "b", "handOverAccount")).toEqual([{ ...told, userId: after?.id }]);

  const session = (await ownFor(life, "b")).find(({ kind }) => kind === "session");
  const browser = new Browser();
  const host = new URL(w.config.baseUrl).hostname;
  browser.cookies.push({ name: "bva_session", value: session?.value ?? "", path: "/", host, attributes: [] });
  const home = await browser.get(w.config.baseUrl);
  expect(home.text).toContain("Something changed about your account.");
  const account = await browser.get(`${w.config.baseUrl}/account`);
  expect(account.text).toContain("B has shown that it owns the domain of this e-mail address");
  const read = await browser.submit(account, { action: /\/account\/notices$/ });
  expect([read.url.pathname, read.text.includes("What changed")]).toEqual(["/account", false]);
  expect((await browser.get(w.config.baseUrl)).text).not.toContain("Something changed about your account.");
  // The account left behind keeps its notice too, in case the operator enables it again.
  const { q, t } = openCommitted(w.store);
  const waiting = await q.select().from(t.accountNotices);
  expect(waiting.map(({ userId, readAt }) => [userId, readAt === null])).toEqual(
    expect.arrayContaining([
      [after?.id, false],
      [before?.id, true],
    ]),
  );
});

test("attack: a directory provisions an address of a domain that is not verified, and steers its account later", async () => {
  await using life = await accountScene();
  const refused = await life.provision("a", CEO);
  expect([refused.status, refused.body.scimType, await life.account(CEO)]).toEqual([400, "invalidValue", undefined]);

  // State that an earlier version allowed: A's directory manages the account.
  await life.verify("a", "big.test");
  await life.provision("a", CEO);
  const squatted = await life.account(CEO);
  await life.lose("a", "big.test");
  await life.verify("b", "big.test");
  await life.signIn("b", CEO);
  const ours = await ownFor(life, "b");
  expect(await open(life, ours, "b")).toEqual([true, true, true]);
  await life.verify("a", "attacker.test");
  const { scim } = life.sides.a;
  const { body } = await scim.find("/Users", "userName pr");
  const [user] = body.Resources as { id: string }[];
  const steer = [
    { op: "replace", path: "userName", value: "me@attacker.test" },
    { op: "replace", path: "emails", value: [{ value: "me@attacker.test", primary: true }] },
  ];
  await scim.patch(`/Users/${user?.id}`, steer);
  await life.signIn("a", "me@attacker.test");
  expect(await open(life, await ownFor(life, "a"), "b")).toEqual([false, false, false]);
  await scim.patch(`/Users/${user?.id}`, [{ op: "replace", path: "active", value: false }]);
  await scim.remove(`/Users/${user?.id}`);
  expect(await open(life, ours, "b")).toEqual([true, true, true]);
  expect((await life.account(CEO))?.id).not.toBe(squatted?.id);
});

test("attack: a provider asserts 'alice', who owns another organization, and the session mints an owner's key there", async () => {
  await using life = await accountScene();
  const { w } = life;
  const alice = "alice@big.test";
  await life.settle("a", alice);
  const own = life.credentials().slice();
  await life.verify("b", "big.test");
  await life.signIn("b", alice);
  const through = await ownFor(life, "b");
  for (const required of [true, false]) {
    await life.require("a", required);
    expect([required, await open(life, through, "a")]).toEqual([required, [false, false, false]]);
    // Her own password and its credentials still open it: owners may always use it.
    expect([required, await open(life, own, "a")]).toEqual([required, [true, true, true]]);
  }
  const key = through.find(({ kind }) => kind === "key")?.value;
  const { body } = await w.request("POST", "/v1/auth/token", { body: { api_key: key } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const { path } = life.sides.a.organization;
  expect((await w.request("GET", `${path}/members`, { headers })).status).toBe(403);
  const listed = await w.request("GET", "/v1/organizations", { headers });
  expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(["B"]);
});

test("keeps an account whole if only links of the person's own organization and the operator could open it", async () => {
  await using life = await accountScene();
  await life.invite("b", CEO, "editor");
  await life.join(CEO);
  const before = life.credentials().slice();
  await life.verify("b", "big.test");
  await life.signIn("b", CEO);
  await life.provision("b", CEO);
  expect(await open(life, before, "b")).toEqual([true, true, true]);
  expect((await membersOf(life, "b")).find(({ email }) => email === CEO)?.role).toBe("editor");
  expect(await audited(life, "b", "handOverAccount")).toEqual([]);
});

test("attack: a directory that lost its domain, or never managed the account, ends more than a membership", async () => {
  await using life = await accountScene();
  await life.verify("b", "big.test");
  await life.provision("b", CEO);
  await life.signIn("b", CEO);
  await life.invite("a", CEO);
  await life.join(CEO);
  const through = await ownFor(life, "b");
  expect(await open(life, through, "a")).toEqual([true, true, true]);
  await life.lose("b", "big.test");
  await life.activate("b", CEO, false);
  const account = await life.account(CEO);
  expect(account?.disabledAt).toBeNull();
  await life.rename("b", CEO, "other@big.test");
  expect((await life.account(CEO))?.id).toBe(account?.id);
});

test("attack: a key from one organization's link reaches what its person joined after the operator's reset", async () => {
  await using life = await accountScene();
  await life.invite("a", CEO);
  await life.join(CEO);
  const [, key] = await ownFor(life, "a");
  await life.reset(CEO);
  await life.invite("b", CEO);
  await life.join(CEO);
  const fresh = life.credentials().filter(({ knownTo }) => knownTo === null);
  expect(await open(life, fresh, "b")).toEqual([true, true, true]);
  expect(await open(life, fresh, "a")).toEqual([true, true, true]);
  expect(key && [await life.reaches(key, "a"), await life.reaches(key, "b")]).toEqual([true, false]);
});

test("attack: an account that both organizations shared before the upgrade still opens both", async () => {
  await using life = await accountScene();
  const { w } = life;
  await life.verify("b", "big.test");
  await life.signIn("b", CEO);
  const shared = await life.account(CEO);
  // State before the upgrade: the first organization's link created the account that the second
  // one's provider is linked to.
  await w.store.write(async ({ q, t }) => {
    const made = { userId: shared?.id ?? "", email: CEO, way: "local", organizationId: life.sides.a.id } as const;
    await q.insert(t.addressProofs).values({ ...made, id: w.deps.newId(), provenAt: w.deps.now() });
  });
  const before = life.credentials().slice();
  const { owner, organization } = life.sides.b;
  const { body: domains } = await owner.get(`${organization.path}/domains`);
  const { body: under } = await owner.get(`${organization.path}/domains/${domains.data[0].id}/accounts`);
  expect(under.data).toMatchObject([{ email: CEO, at_first_sign_in: "handed_over" }]);
  await life.signIn("b", CEO);
  expect((await life.account(CEO))?.id).not.toBe(shared?.id);
  expect(await open(life, before, "b")).toEqual([false, false, false]);
  expect(await open(life, (await ownFor(life, "b")).slice(3), "b")).toEqual([true, true, true]);
});

test("attack: a directory brings an account back that the operator disabled", async () => {
  await using life = await accountScene();
  const { w } = life;
  await life.invite("a", CEO);
  await life.join(CEO);
  await w.store.write(async ({ q, t }) => {
    await q.update(t.users).set({ disabledAt: w.deps.now() }).where(eq(t.users.email, CEO));
  });
  await life.verify("b", "big.test");
  const refused = await life.provision("b", CEO);
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    "The operator of this service has disabled the account with this e-mail. Contact them.",
  ]);
  await life.signIn("b", CEO);
  expect(await ownFor(life, "b")).toEqual([]);
});

test("stores a provider's proof once per address", async () => {
  await using life = await accountScene();
  await life.verify("b", "big.test");
  await life.signIn("b", CEO);
  const account = await life.account(CEO);
  const address = { userId: account?.id ?? "", email: CEO, organizationId: life.sides.b.id, way: "provider" } as const;
  const at = { now: life.w.deps.now(), newId: life.w.deps.newId };
  const again = () => life.w.store.write((db) => proveByOrganization(db, address, at));
  expect(await again()).toBe(await again());
});
