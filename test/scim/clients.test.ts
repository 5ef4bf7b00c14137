import { expect, test } from "vitest";
import { world } from "../support/world.ts";
import { scene, USER } from "./client.ts";

// Requests as Microsoft Entra ID and Okta send them, character by character.

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

test("Entra ID matches, creates, updates, disables and removes a user", async () => {
  await using w = await world();
  const { client } = await scene(w);
  const matched = await client.find("/Users", 'userName eq "Test_User_dfeef4c5@acme.test"');
  expect(matched.body).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1 });
  const made = await client.create("/Users", {
    schemas: [USER, ENTERPRISE],
    externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    userName: "Test_User_dfeef4c5@acme.test",
    active: true,
    emails: [{ primary: true, type: "work", value: "Test_User_fd0ea19b@acme.test" }],
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
    [ENTERPRISE]: { department: "Sales", manager: { value: "x" } },
  });
  expect(made.status).toBe(201);
  const path = `/Users/${made.body.id}`;
  const changed = await client.patch(path, [
    { op: "Replace", path: 'emails[type eq "work"].value', value: "updatedEmail@acme.test" },
    { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
    { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "+1 555 0100" },
    { op: "Add", path: `${ENTERPRISE}:department`, value: "Buying" },
    { op: "Add", path: 'emails[type eq "other"].value', value: "second@acme.test" },
    { op: "Add", path: 'addresses[type eq "work"].formatted', value: "Main Street 1" },
  ]);
  expect([changed.status, changed.body.name.familyName, changed.body.emails]).toEqual([
    200,
    "updatedFamilyName",
    [
      { primary: true, type: "work", value: "updatedEmail@acme.test" },
      { type: "other", value: "second@acme.test" },
    ],
  ]);
  const dotted = [{ op: "replace", value: { "name.givenName": "Dotted", [`${USER}:title`]: "Buyer", active: "True" } }];
  expect((await client.patch(path, dotted)).body).toMatchObject({
    name: { givenName: "Dotted" },
    title: "Buyer",
    active: true,
  });
  const off = await client.patch(path, [{ op: "Replace", path: "active", value: "False" }]);
  expect([off.status, off.body.active]).toEqual([200, false]);
  expect((await client.find("/Users", 'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).body.totalResults).toBe(
    1,
  );
  expect((await client.remove(path)).status).toBe(204);
});

test("keeps an Entra ID group that is updated without its members", async () => {
  await using w = await world();
  const s = await scene(w);
  const { client } = s;
  const ada = await s.user("ada@acme.test");
  const made = await client.create("/Groups", {
    schemas: [
      "urn:ietf:params:scim:schemas:core:2.0:Group",
      "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group",
    ],
    externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
    displayName: "displayName",
    meta: { resourceType: "Group" },
  });
  expect(made.status).toBe(201);
  const path = `/Groups/${made.body.id}`;
  const found = await client.get(`/Groups?excludedAttributes=members&filter=displayName%20eq%20%22displayName%22`);
  expect(found.body.Resources).toEqual([made.body]);
  const added = await client.patch(path, [{ op: "Add", path: "members", value: [{ $ref: null, value: ada.id }] }]);
  expect(added.status).toBe(200);
  expect((await client.find("/Groups", `id eq "${made.body.id}" and members eq "${ada.id}"`)).body.totalResults).toBe(
    1,
  );
  const removed = await client.patch(path, [{ op: "Remove", path: "members", value: [{ $ref: null, value: ada.id }] }]);
  expect(removed.body).not.toHaveProperty("members");
  expect((await client.patch(path, [{ op: "Replace", path: "displayName", value: "Renamed" }])).body.displayName).toBe(
    "Renamed",
  );
});

test("Okta tests the connection, pushes, replaces, deactivates and fills a group", async () => {
  await using w = await world();
  const { client } = await scene(w);
  expect((await client.get("/Users?startIndex=1&count=1")).body.totalResults).toBe(0);
  expect(
    (await client.get("/Users?filter=userName%20eq%20%22test.user%40acme.test%22&startIndex=1&count=100")).status,
  ).toBe(200);
  const profile = {
    schemas: [USER],
    userName: "test.user@acme.test",
    name: { givenName: "Test", familyName: "User" },
    emails: [{ primary: true, value: "test.user@acme.test", type: "work" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    password: "1mz050nq",
    active: true,
  };
  const made = await client.create("/Users", profile);
  expect([made.status, made.body.password, made.body.groups]).toEqual([201, undefined, undefined]);
  const path = `/Users/${made.body.id}`;
  const replaced = await client.replace(path, {
    ...profile,
    id: made.body.id,
    displayName: "Renamed",
    meta: made.body.meta,
  });
  expect([replaced.status, replaced.body.displayName]).toEqual([200, "Renamed"]);
  const off = await client.patch(path, [{ op: "replace", value: { active: false } }]);
  expect([off.status, off.body.active]).toEqual([200, false]);
  expect((await client.replace(path, { ...profile, active: true })).body.active).toBe(true);
  const group = await client.create("/Groups", {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
    displayName: "Test SCIM",
    members: [{ value: made.body.id, display: "test.user@acme.test" }],
  });
  const pushed = await client.patch(`/Groups/${group.body.id}`, [
    { op: "replace", value: { id: group.body.id, displayName: "Test SCIM2" } },
    { op: "remove", path: `members[value eq "${made.body.id}"]` },
    { op: "add", path: "members", value: [{ value: made.body.id, display: "test.user@acme.test" }] },
  ]);
  expect([pushed.status, pushed.body.displayName, pushed.body.members?.length]).toEqual([200, "Test SCIM2", 1]);
});
