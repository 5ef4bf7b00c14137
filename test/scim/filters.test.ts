import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "../support/world.ts";
import { scene, USER } from "./client.ts";

// Filters of RFC 7644 section 3.4.2.2, over three people.

let w: Awaited<ReturnType<typeof world>>;
let s: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  w = await world();
  s = await scene(w);
  await s.user("ada@acme.test", {
    externalId: "A1",
    name: { familyName: "O'Malley", givenName: "Ada" },
    title: 'The "first"',
    userType: "Employee",
    emails: [
      { value: "ada@acme.test", type: "work", primary: true },
      { value: "ada@home.test", type: "home" },
    ],
  });
  const bea = await s.user("bea@acme.test", { externalId: "b2", userType: "Intern", active: false });
  const cy = await s.user("Cy@example.org", { name: { familyName: "Zed" } });
  await s.group("Staff", [bea.id, cy.id]);
});
afterAll(() => w[Symbol.asyncDispose]());

test.each([
  // Examples of RFC 7644 section 3.4.2.2, on stored attributes.
  ['userName eq "ADA@acme.test"', "a"],
  ['name.familyName co "O\'Malley"', "a"],
  ['userName sw "c"', "c"],
  [`${USER}:userName sw "c"`, "c"],
  ["title pr", "a"],
  ['meta.lastModified gt "2011-05-13T04:42:34Z"', "abc"],
  ['meta.lastModified lt "2011-05-13T04:42:34Z"', ""],
  ['title pr and userType eq "Employee"', "a"],
  ['title pr or userType eq "Intern"', "ab"],
  [`schemas eq "${USER}"`, "abc"],
  ['userType eq "Employee" and (emails co "home.test" or emails.value co "example.org")', "a"],
  ['userType ne "Employee" and not (emails co "home.test" or emails.value co "example.org")', "bc"],
  ['userType eq "Employee" and (emails.type eq "work")', "a"],
  ['userType eq "Employee" and emails[type eq "work" and value co "@acme.test"]', "a"],
  ['emails[type eq "work" and value co "@acme.test"] or userType eq "Intern"', "ab"],
  // Precedence: not before and before or; brackets in brackets.
  ['userType eq "Intern" or userType eq "Employee" and title pr', "ab"],
  ['((userName sw "a") or (userName sw "b")) and (active eq true or (userType eq "None"))', "a"],
  ['not (title pr) and not (userType eq "Intern")', "c"],
  ['emails[not (type eq "work")].value ew "home.test"', "a"],
  // Case: names, operators and text without regard, identifiers to the letter.
  ['USERNAME Eq "bea@ACME.test"', "b"],
  ['externalId eq "a1"', ""],
  ['externalId eq "A1"', "a"],
  ["active eq false", "b"],
  ["active eq False", "b"],
  ['active eq "False"', "b"],
  ["active ne true", "b"],
  // Quotes in text, and brackets and words of the language in it.
  ['title eq "the \\"first\\""', "a"],
  ['title eq "(( not [ and true"', ""],
  ["userType eq null", "c"],
  ["userType ne null", "ab"],
  ['userType gt "Employee"', "b"],
  ['userType ge "Employee" and userType le "Employee"', "a"],
  ['groups.display eq "staff"', "bc"],
  ["groups pr", "bc"],
])("%s finds %s", async (filter, expected) => {
  const { status, body } = await s.client.find("/Users", filter);
  expect([status, body.detail]).toEqual([200, undefined]);
  const found = body.Resources.map(({ userName }: { userName: string }) => userName[0]?.toLowerCase()).join("");
  expect([found, body.totalResults]).toEqual([expected, expected.length]);
});

test("applies the rest of a filter after looking up the indexed part", async () => {
  const find = async (filter: string) => (await s.client.find("/Users", filter)).body.totalResults as number;
  const { body } = await s.client.find("/Users", 'userName eq "ada@acme.test"');
  const [{ id }] = body.Resources;
  expect(await find(`id eq "${id}"`)).toBe(1);
  expect(await find(`id eq "${id}" and userType eq "Intern"`)).toBe(0);
  expect(await find(`id eq "${id}" or userType eq "Intern"`)).toBe(2);
  expect(await find(`not (id eq "${id}")`)).toBe(2);
});

test("groups are found by name and by member", async () => {
  const { body } = await s.client.find("/Users", 'userName eq "bea@acme.test"');
  const member = body.Resources[0].id as string;
  const find = async (filter: string) => (await s.client.find("/Groups", filter)).body.totalResults as number;
  const id = (await s.client.find("/Groups", 'displayName eq "STAFF"')).body.Resources[0].id as string;
  expect(await find(`members.value eq "${member}"`)).toBe(1);
  expect(await find(`id eq "${id}" and members eq "${member}"`)).toBe(1);
  expect(await find(`members[value eq "nobody"]`)).toBe(0);
});

test.each([
  "userName",
  "userName eq",
  'userName is "a"',
  'userName eq "a" and',
  '(userName eq "a"',
  'userName eq "a")',
  "userName eq 5",
  "active gt true",
  'active eq "perhaps"',
  "name eq null and name.first pr",
  'shoeSize eq "9"',
  'userName.first eq "9"',
  'userName[value eq "a"]',
  'meta.created gt "yesterday"',
  'emails[type eq "work"',
  "",
])("%s is no filter, and is refused as one", async (filter) => {
  const { status, body } = await s.client.find("/Users", filter);
  expect([status, body.scimType]).toEqual([400, "invalidFilter"]);
});

// Attack: a filter that costs the parser or us more than it costs to send.
test.each([
  ["an open quote and many line feeds", `userName eq "${"\n".repeat(5000)}`],
  ["an open quote and a few", `userName eq "${"\n".repeat(60)}`],
  ["deep brackets", `${"(".repeat(900)}title pr${")".repeat(900)}`],
  ["many negations", `${"not (".repeat(100)}title pr${")".repeat(100)}`],
  ["many terms", Array.from({ length: 150 }, () => "title pr").join(" or ")],
  ["a very long text", `userName eq "${"a".repeat(7000)}"`],
  ["many backslashes", `userName eq "${"\\".repeat(1500)}`],
])("%s are refused at once", { timeout: 5000 }, async (_what, filter) => {
  const { status, body } = await s.client.find("/Users", filter);
  expect([status, body.scimType]).toEqual([400, "invalidFilter"]);
});
