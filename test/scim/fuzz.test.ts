import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GROUP_RESOURCE, USER_RESOURCE } from "../../src/http/scim/attributes.ts";
import { readFilter } from "../../src/http/scim/filter.ts";
import { applyPatch, readPatch } from "../../src/http/scim/patch.ts";
import { parseUser } from "../../src/http/scim/read-resource.ts";
import { AppError } from "../../core/shared/errors.ts";
import { world } from "../support/world.ts";
import { PATCH, scene } from "./client.ts";

// Arbitrary requests get a protocol error or an answer, never a server error.

const SEED = 20_261_121;

const word = fc.constantFrom(
  ..."userName emails emails.value name.familyName active meta.created groups members schemas id __proto__ constructor".split(
    " ",
  ),
  ...'eq ne co sw ew gt ge lt le pr and or not ( ) [ ] . true False null 5 -1e9 "a" "" "a\\"b" "\\\\" "'.split(" "),
  "urn:ietf:params:scim:schemas:core:2.0:User:userName",
);
const filter = fc.oneof(
  { weight: 4, arbitrary: fc.array(word, { maxLength: 14 }).map((words) => words.join(" ")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    "True",
    "false",
    null,
    [{ value: "a@b.test", primary: "true" }],
    JSON.parse('{"__proto__":{"polluted":1}}'),
  ),
);
const path = fc.oneof(
  fc.constantFrom(
    ..."userName active emails name name.givenName __proto__.polluted constructor.prototype.polluted meta.version members schemas".split(
      " ",
    ),
    'emails[type eq "work"].value',
    "emails[primary eq true]",
    'emails[value pr and not (type eq "x")].display',
    'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value',
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
  ),
  filter.map((inner) => `emails[${inner}].value`),
  fc.string({ maxLength: 30 }),
);
const operation = fc.record(
  { op: fc.constantFrom("add", "Replace", "REMOVE", "move"), path, value },
  { requiredKeys: ["op"] },
);
const patch = fc.record({ schemas: fc.constant([PATCH]), Operations: fc.array(operation, { maxLength: 5 }) });

/** True for a result or a protocol error; rethrows any other error. */
function isToldInWords(work: () => unknown): boolean {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
  return true;
}

test("parses any text as a filter or rejects it", () => {
  const person = {
    userName: "a",
    emails: [{ value: "a@b.test", type: "work" }],
    meta: { created: "2026-11-21T00:00:00Z" },
  };
  fc.assert(
    fc.property(filter, fc.constantFrom(USER_RESOURCE, GROUP_RESOURCE), (text, kind) =>
      isToldInWords(() => readFilter(text, kind).isMatch(person)),
    ),
    { numRuns: 4000, seed: SEED },
  );
});

// Attack: write to the prototype of every object through a path or a key of a PATCH.
test("applies or rejects any PATCH, and changes only the resource", () => {
  const person = { userName: "a@b.test", emails: [{ value: "a@b.test", type: "work", primary: true }] };
  const before = structuredClone(person);
  fc.assert(
    fc.property(fc.oneof(patch, fc.jsonValue()), (body) =>
      isToldInWords(() => parseUser(applyPatch(person, readPatch(body, USER_RESOURCE)))),
    ),
    { numRuns: 4000, seed: SEED },
  );
  expect(person).toEqual(before);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect("polluted" in {}).toBe(false);
});

let w: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  w = await world({ env: { RATE_LIMIT_KEY: "0", RATE_LIMIT_ADDRESS: "0" } });
});
afterAll(() => w[Symbol.asyncDispose]());

test("the service answers whatever is sent with a status below 500, as SCIM", async () => {
  const s = await scene(w);
  const { id } = await s.user("ada@acme.test");
  const staff = await s.group("Staff", [id]);
  const target = fc.constantFrom(`/Users/${id}`, `/Groups/${staff.id}`, "/Users", "/Groups", "/Users/.search");
  const request = fc.oneof(
    fc.tuple(fc.constant("GET"), fc.tuple(fc.constantFrom("/Users", "/Groups"), filter), fc.constant(undefined)),
    fc.tuple(fc.constant("PATCH"), fc.tuple(target, fc.constant("")), patch),
    fc.tuple(fc.constantFrom("POST", "PUT"), fc.tuple(target, fc.constant("")), fc.jsonValue()),
  );
  await fc.assert(
    fc.asyncProperty(request, async ([method, [address, query], body]) => {
      const asked = query === "" ? "" : `?filter=${encodeURIComponent(query.toWellFormed())}`;
      const answer = await s.client.send(
        method,
        address + asked,
        body === undefined ? undefined : JSON.stringify(body),
      );
      expect([answer.status < 500, answer.body === "" || Array.isArray(answer.body.schemas)]).toEqual([true, true]);
    }),
    { numRuns: 300, seed: SEED },
  );
});
