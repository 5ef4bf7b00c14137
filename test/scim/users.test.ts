import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "../support/world.ts";
import { ERROR, LIST, scimUser, scene, USER, type ScimClient } from "./client.ts";
import { openCommitted } from "../support/committed.ts";

// Requests and answers of RFC 7644 section 3, for users.

let w: Awaited<ReturnType<typeof world>>;
let s: Awaited<ReturnType<typeof scene>>;
let client: ScimClient;
beforeAll(async () => {
  w = await world();
  s = await scene(w);
  client = s.client;
});
afterAll(() => w[Symbol.asyncDispose]());

const text = expect.any(String) as unknown;
/** The user of RFC 7644 section 3.3, with an e-mail. */
const BARBARA = {
  externalId: "bjensen",
  name: { formatted: "Ms. Barbara J Jensen III", familyName: "Jensen", givenName: "Barbara" },
  emails: [{ value: "bjensen@example.com", type: "work", primary: true }],
};

test("a user is created, found at its location, and deleted (sections 3.3, 3.4.1, 3.6)", async () => {
  const made = await client.create("/Users", scimUser("bjensen", BARBARA));
  const { id } = made.body;
  const location = `${w.config.baseUrl}/scim/v2/Users/${id}`;
  expect([made.status, made.headers.get("content-type"), made.headers.get("location")]).toEqual([
    201,
    "application/scim+json",
    location,
  ]);
  const whole = {
    schemas: [USER],
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    userName: "bjensen",
    ...BARBARA,
    active: true,
    meta: { resourceType: "User", created: text, lastModified: text, location, version: made.headers.get("etag") },
  };
  expect(made.body).toEqual(whole);
  const got = await client.get(`/Users/${id}`);
  expect([got.status, got.headers.get("etag"), got.body]).toEqual([200, whole.meta.version, made.body]);
  expect(await client.remove(`/Users/${id}`)).toMatchObject({ status: 204, body: "" });
  expect(await client.get(`/Users/${id}`)).toMatchObject({
    status: 404,
    headers: expect.anything() as unknown,
    body: { schemas: [ERROR], status: "404", detail: text },
  });
});

test("rejects a duplicate user name in any case, with scimType uniqueness (section 3.3)", async () => {
  await s.user("twice@acme.test");
  expect((await client.create("/Users", scimUser("TWICE@acme.test"))).body).toEqual({
    schemas: [ERROR],
    scimType: "uniqueness",
    detail: "Another user of the organization already has this userName.",
    status: "409",
  });
});

test("replaces attributes by PUT, removes omitted ones and ignores read-only ones (section 3.5.1)", async () => {
  const { id, meta } = await s.user("put@acme.test", { title: "Buyer", displayName: "Put" });
  const sent = { ...scimUser("put@acme.test"), id: "another", meta: { version: "x" }, displayName: "Put Again" };
  const { status, body } = await client.replace(`/Users/${id}`, sent);
  expect([status, body.id, body.title, body.displayName]).toEqual([200, id, undefined, "Put Again"]);
  expect(body.meta.version).not.toBe(meta.version);
});

test("PATCH adds, replaces and removes, by path, by filter and without either (section 3.5.2)", async () => {
  const { id } = await s.user("patch@acme.test", {
    emails: [{ value: "patch@acme.test", type: "work", primary: true }],
  });
  const { status, body } = await client.patch(`/Users/${id}`, [
    { op: "add", path: "name.familyName", value: "Jensen" },
    { op: "add", path: `${USER}:title`, value: "Buyer" },
    { op: "add", value: { displayName: "Babs", emails: [{ value: "babs@jensen.test", type: "home" }] } },
    { op: "replace", path: 'emails[type eq "home" and value ew "jensen.test"].value', value: "b@jensen.test" },
    { op: "replace", path: "name", value: { givenName: "Barbara" } },
    { op: "add", path: "locale", value: "en-GB" },
    { op: "remove", path: "locale" },
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name: { familyName: "Jensen", givenName: "Barbara" },
    title: "Buyer",
    displayName: "Babs",
    emails: [
      { value: "patch@acme.test", type: "work", primary: true },
      { value: "b@jensen.test", type: "home" },
    ],
  });
  expect(body).not.toHaveProperty("locale");
  const removed = await client.patch(`/Users/${id}`, [{ op: "remove", path: 'emails[type eq "home"]' }]);
  expect(removed.body.emails).toEqual([{ value: "patch@acme.test", type: "work", primary: true }]);
});

test("makes a new primary e-mail replace the former one and the account's e-mail (RFC 7643 section 2.4)", async () => {
  const { id } = await s.user("primary@acme.test", { emails: [{ value: "primary@acme.test", primary: true }] });
  const { body } = await client.patch(`/Users/${id}`, [
    { op: "add", path: "emails", value: [{ value: "Second@acme.test", primary: true }] },
  ]);
  expect(body.emails).toEqual([
    { value: "primary@acme.test", primary: false },
    { value: "Second@acme.test", primary: true },
  ]);
  const { q, t } = openCommitted(w.store);
  const accounts = await q.select({ email: t.users.email }).from(t.users);
  const emails = new Set(accounts.map(({ email }) => email));
  expect([emails.has("second@acme.test"), emails.has("primary@acme.test")]).toEqual([true, false]);
});

test.each([
  ["an unknown attribute", [{ op: "replace", path: "shoeSize", value: "9" }], "invalidPath"],
  ["an unknown sub-attribute", [{ op: "replace", path: "name.nick", value: "9" }], "invalidPath"],
  ["a path that is none", [{ op: "replace", path: "emails[[", value: "9" }], "invalidPath"],
  ["a filter that is none", [{ op: "replace", path: "emails[type is work].value", value: "9" }], "invalidFilter"],
  ["what is ours to write", [{ op: "replace", path: "id", value: "9" }], "mutability"],
  ["what nothing fits", [{ op: "replace", path: 'emails[type eq "fax"].value', value: "9" }], "noTarget"],
  ["a remove of nothing", [{ op: "remove" }], "noTarget"],
  ["a user without a name", [{ op: "remove", path: "userName" }], "invalidValue"],
  ["another type", [{ op: "replace", path: "active", value: "perhaps" }], "invalidValue"],
  ["another operation", [{ op: "move", path: "title" }], "invalidSyntax"],
  ["no operation", [], "invalidSyntax"],
])("PATCH of %s is refused with its reason (section 3.12)", async (what, operations, scimType) => {
  const { id } = await s.user(`${what.replaceAll(/\W/g, "")}@acme.test`);
  const { status, body } = await client.patch(`/Users/${id}`, operations);
  expect([status, body.status, body.scimType]).toEqual([400, "400", scimType]);
});

test("rejects a change with an outdated version, and answers 304 for a current one (section 3.14)", async () => {
  const { id, meta } = await s.user("etag@acme.test");
  const path = `/Users/${id}`;
  const change = { ...scimUser("etag@acme.test"), title: "Buyer" };
  const replaced = await client.send("PUT", path, change, { "if-match": meta.version });
  expect(replaced.status).toBe(200);
  expect(await client.send("PUT", path, change, { "if-match": meta.version })).toMatchObject({
    status: 412,
    body: { schemas: [ERROR], status: "412" },
  });
  expect((await client.send("DELETE", path, undefined, { "if-match": '"other"' })).status).toBe(412);
  const { version } = replaced.body.meta;
  expect((await client.send("GET", path, undefined, { "if-none-match": version })).status).toBe(304);
  expect((await client.send("GET", path, undefined, { "if-none-match": meta.version })).status).toBe(200);
});

test("an answer has the attributes that are wanted (section 3.9)", async () => {
  const { id } = await s.user("wanted@acme.test", { ...BARBARA, emails: undefined, externalId: "wanted" });
  expect((await client.get(`/Users/${id}?attributes=userName,NAME.givenName`)).body).toEqual({
    schemas: [USER],
    id,
    userName: "wanted@acme.test",
    name: { givenName: "Barbara" },
  });
  const { body } = await client.get(`/Users/${id}?excludedAttributes=name,meta,${USER}:externalId`);
  expect(body).toEqual({ schemas: [USER], id, userName: "wanted@acme.test", active: true });
});

function names({ body }: { body: { Resources: { userName: string }[] } }): string {
  return body.Resources.map(({ userName }) => userName.slice(5, 6)).join("");
}

test("a list is answered in pages with the number of all (section 3.4.2.4)", async () => {
  await using other = await world();
  const five = await scene(other);
  const pages = five.client;
  for (let at = 0; at < 5; at++) await five.user(`page-${at}@acme.test`);
  const first = await pages.get("/Users?startIndex=1&count=2");
  expect(first.body).toMatchObject({ schemas: [LIST], totalResults: 5, startIndex: 1, itemsPerPage: 2 });
  expect([names(first), names(await pages.get("/Users?startIndex=3&count=2"))]).toEqual(["01", "23"]);
  expect(names(await pages.get("/Users?startIndex=5&count=99"))).toBe("4");
  expect((await pages.get("/Users?startIndex=9")).body).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
  expect((await pages.get("/Users?count=0")).body).toMatchObject({ totalResults: 5, Resources: [] });
  expect((await pages.get("/Users?startIndex=-3&count=-1")).body).toMatchObject({ startIndex: 1, Resources: [] });
  expect((await pages.get("/Users?count=many")).body).toMatchObject({ status: "400", scimType: "invalidValue" });
  const filtered = await pages.get("/Users?filter=userName%20sw%20%22page%22&startIndex=2&count=2");
  expect([filtered.body.totalResults, names(filtered)]).toEqual([5, "12"]);
});

test("a search by POST answers as the same query does (section 3.4.3)", async () => {
  await s.user("search@acme.test");
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"];
  const wanted = {
    schemas,
    filter: 'userName eq "search@acme.test"',
    attributes: ["userName"],
    startIndex: 1,
    count: 10,
  };
  const { status, body } = await client.create("/Users/.search", wanted);
  expect([status, body]).toEqual([
    200,
    (await client.get("/Users?attributes=userName&filter=userName%20eq%20%22search@acme.test%22")).body,
  ]);
  expect(body.Resources).toEqual([{ schemas: [USER], id: text, userName: "search@acme.test" }]);
  expect((await client.create("/Users/.search", { filter: "" })).body.scimType).toBe("invalidSyntax");
});
