import { expect, test } from "vitest";
import { findUserByEmail } from "../../db/identity/users.ts";
import { world } from "../world.ts";
import { person, provisioning, scene, USER } from "./client.ts";
import { committed } from "../committed.ts";

async function two(w: Awaited<ReturnType<typeof world>>) {
  const ours = await scene(w);
  const tenant = await w.insertTenant("Rival");
  const owner = await w.signIn("owner@rival.test", { organizationId: tenant.organization.id, role: "owner" });
  return { ours, rival: { ...tenant, owner, client: await provisioning(w, { owner, ...tenant }) } };
}

// Attack: read and change another organization's people and groups with a token of one's own.
test("a token of one organization sees nothing of another, at any operation", async () => {
  await using w = await world();
  const { ours, rival } = await two(w);
  const user = await ours.user("ada@acme.test", { externalId: "e-1" });
  const group = await ours.group("Staff", [user.id]);
  const before = (await ours.client.get(`/Users/${user.id}`)).body;
  const { client } = rival;
  const answers = [];
  for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
    answers.push(await client.get(path));
    answers.push(await client.replace(path, { userName: "ada@acme.test", displayName: "Mine" }));
    answers.push(await client.patch(path, [{ op: "replace", path: "displayName", value: "Mine" }]));
    answers.push(await client.remove(path));
  }
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 404));
  for (const filter of [`id eq "${user.id}"`, 'userName eq "ada@acme.test"', 'externalId eq "e-1"', "userName pr"]) {
    expect((await client.find("/Users", filter)).body).toMatchObject({ totalResults: 0, Resources: [] });
  }
  expect((await client.find("/Groups", `members eq "${user.id}" or displayName pr`)).body.totalResults).toBe(0);
  expect((await client.get("/Users")).body.totalResults).toBe(0);
  const own = await client.create("/Groups", { displayName: "Own" });
  const add = [{ op: "add", path: "members", value: [{ value: user.id }] }];
  expect((await client.patch(`/Groups/${own.body.id}`, add)).body.scimType).toBe("invalidValue");
  expect((await ours.client.get(`/Users/${user.id}`)).body).toEqual(before);
  expect((await ours.client.get(`/Groups/${group.id}`)).body).toEqual(group);
});

test("two organizations may call their people the same, as long as the accounts are two", async () => {
  await using w = await world();
  const { ours, rival } = await two(w);
  await ours.user("ada", { externalId: "1", emails: [{ value: "ada@acme.test" }] });
  const theirs = person("ada", { externalId: "1", emails: [{ value: "ada@rival.test" }] });
  expect((await rival.client.create("/Users", theirs)).status).toBe(201);
});

// Attack: provision the address of somebody else's account, to sign in as them, rename them or lock them out.
test("an account outside the organization is not reached for by its address", async () => {
  await using w = await world();
  const { ours, rival } = await two(w);
  const victim = await w.signIn("victim@elsewhere.test", { organizationId: ours.organization.id, role: "editor" });
  const managed = await ours.user("managed@acme.test");
  for (const userName of [victim.email, "Managed@ACME.test"]) {
    const { status, body } = await rival.client.create("/Users", person(userName, { displayName: "Mine" }));
    expect([status, body.scimType, body.detail]).toEqual([409, "uniqueness", expect.stringContaining("e-mail")]);
  }
  const other = await rival.client.create("/Users", person("other@rival.test"));
  const renamed = await rival.client.patch(`/Users/${other.body.id}`, [
    { op: "replace", path: "userName", value: victim.email },
  ]);
  expect([renamed.status, renamed.body.scimType]).toEqual([409, "uniqueness"]);
  expect((await victim.get(ours.organization.path)).status).toBe(200);
  expect((await ours.client.get(`/Users/${managed.id}`)).body.active).toBe(true);
});

// Attack: an organization that has somebody as a member takes their account over by changing its e-mail.
test("of an account that it does not manage an organization changes nothing but the membership", async () => {
  await using w = await world();
  const { ours } = await two(w);
  const member = await w.signIn("member@elsewhere.test", { organizationId: ours.organization.id, role: "viewer" });
  const linked = await ours.user("member@elsewhere.test", { displayName: "Renamed" });
  const changed = await ours.client.patch(`/Users/${linked.id}`, [
    { op: "replace", path: "userName", value: "attacker@acme.test" },
    { op: "add", path: "emails", value: [{ value: "attacker@acme.test", primary: true }] },
  ]);
  expect(changed.status).toBe(200);
  expect((await member.get("/v1/auth/me")).body).toMatchObject({ email: "member@elsewhere.test", name: member.email });
  expect(changed.body).toMatchObject({ schemas: [USER], userName: "attacker@acme.test", displayName: "Renamed" });
});

/** Shows that a domain is an organization's, as its TXT record would. */
async function verify(w: Awaited<ReturnType<typeof world>>, organizationId: string, domain: string) {
  const at = w.deps.now();
  const claim = { id: w.deps.newId(), organizationId, domain, token: "t", createdAt: at, verifiedAt: at };
  await w.store.write(async ({ q, t }) => void (await q.insert(t.organizationDomains).values(claim)));
}

test("an account whose domain is verified for the organization is linked, and keeps its own management", async () => {
  await using w = await world();
  const { ours, rival } = await two(w);
  const member = await w.signIn("ada@acme.test", { organizationId: rival.organization.id, role: "editor" });
  await verify(w, ours.organization.id, "acme.test");
  const user = await ours.user("ada@acme.test");
  expect((await member.get("/v1/organizations")).body.data.length).toBe(2);
  await ours.client.remove(`/Users/${user.id}`);
  expect((await member.get("/v1/organizations")).body.data.map(({ name }: { name: string }) => name)).toEqual([
    "Rival",
  ]);
});

// Attack: make an account for an address of an organization that comes later, to be in it before it notices; or take
// an account over by its domain, to be in the organization that made it.
test("the owner of a domain gets its accounts from whoever made them before, and nobody else makes new ones", async () => {
  await using w = await world();
  const { ours, rival } = await two(w);
  expect((await rival.client.create("/Users", person("chief@acme.test"))).status).toBe(201);
  const squatter = await w.signIn("chief@acme.test");
  await verify(w, ours.organization.id, "acme.test");
  await ours.user("chief@acme.test");
  expect((await squatter.get("/v1/organizations")).status).toBe(401);
  const account = await findUserByEmail(committed(w.store), "chief@acme.test");
  expect(account).toMatchObject({ managedByOrganizationId: ours.organization.id, disabledAt: null });
  const chief = await w.signIn("chief@acme.test");
  const seen = (await chief.get("/v1/organizations")).body.data;
  expect(seen.map(({ name }: { name: string }) => name)).toEqual(["Acme"]);
  expect((await rival.client.find("/Users", "active eq true")).body.totalResults).toBe(0);
  const another = await rival.client.create("/Users", person("second@acme.test"));
  expect([another.status, another.body.scimType]).toEqual([409, "uniqueness"]);
});
