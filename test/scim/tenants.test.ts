import { expect, test } from "vitest";
import { world } from "../support/world.ts";
import { scimUser, provisionedClient, scene, USER } from "./client.ts";

const NOT_VERIFIED =
  "The domain of this e-mail is not verified for your organization, or has lapsed. Verify it there first, or invite the person.";

async function two(w: Awaited<ReturnType<typeof world>>) {
  const ours = await scene(w);
  const tenant = await w.insertTenant("Rival");
  const owner = await w.signIn("owner@rival.test", { organizationId: tenant.organization.id, role: "owner" });
  return {
    ours,
    rival: { ...tenant, owner, client: await provisionedClient(w, { owner, ...tenant }, ["rival.test"]) },
  };
}

// Attack: read and change another organization's people and groups with one's own token.
test("hides other organizations from a SCIM token in every operation", async () => {
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
  const theirs = scimUser("ada", { externalId: "1", emails: [{ value: "ada@rival.test" }] });
  expect((await rival.client.create("/Users", theirs)).status).toBe(201);
});

// Attack: provision the address of somebody else's account, to sign in as them, rename them or lock
// them out.
test("an account outside the organization is not reached for by its address", async () => {
  await using w = await world();
  const { ours, rival } = await two(w);
  const victim = await w.signIn("victim@elsewhere.test", { organizationId: ours.organization.id, role: "editor" });
  const managed = await ours.user("managed@acme.test");
  for (const userName of [victim.email, "Managed@ACME.test"]) {
    const { status, body } = await rival.client.create("/Users", scimUser(userName, { displayName: "Mine" }));
    expect([status, body.scimType, body.detail]).toEqual([400, "invalidValue", NOT_VERIFIED]);
  }
  const other = await rival.client.create("/Users", scimUser("other@rival.test"));
  const renamed = await rival.client.patch(`/Users/${other.body.id}`, [
    { op: "replace", path: "userName", value: victim.email },
  ]);
  expect([renamed.status, renamed.body.scimType]).toEqual([400, "invalidValue"]);
  expect((await victim.get(ours.organization.path)).status).toBe(200);
  expect((await ours.client.get(`/Users/${managed.id}`)).body.active).toBe(true);
});

// Attack: an organization that has somebody as a member takes their account over by changing its
// e-mail.
test("changes only the membership of an account that the organization does not manage", async () => {
  await using w = await world();
  const { ours } = await two(w);
  const member = await w.signIn("member@acme.test", { organizationId: ours.organization.id, role: "viewer" });
  const linked = await ours.user("member@acme.test", { displayName: "Renamed" });
  const changed = await ours.client.patch(`/Users/${linked.id}`, [
    { op: "replace", path: "userName", value: "attacker@acme.test" },
    { op: "add", path: "emails", value: [{ value: "attacker@acme.test", primary: true }] },
  ]);
  expect(changed.status).toBe(200);
  expect((await member.get("/v1/auth/me")).body).toMatchObject({ email: "member@acme.test", name: member.email });
  expect(changed.body).toMatchObject({ schemas: [USER], userName: "attacker@acme.test", displayName: "Renamed" });
});

test("links an account that only the operator verified, and leaves its management unchanged", async () => {
  await using w = await world();
  const { ours, rival } = await two(w);
  const member = await w.signIn("ada@acme.test", { organizationId: rival.organization.id, role: "editor" });
  const user = await ours.user("ada@acme.test");
  expect((await member.get("/v1/organizations")).body.data.length).toBe(2);
  await ours.client.remove(`/Users/${user.id}`);
  expect((await member.get("/v1/organizations")).body.data.map(({ name }: { name: string }) => name)).toEqual([
    "Rival",
  ]);
});
