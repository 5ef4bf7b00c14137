import { expect, test } from "vitest";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { ACCESS_TABLE, findAccessRule } from "./access-table.ts";

// Requirements for each line. Failures name the endpoint, what is missing, and where to add it.

const TABLE = "test/access/access-table.ts";
const lines = Object.entries(ACCESS_TABLE).flatMap(([group, own]) =>
  Object.entries(own).map(([name, line]) => ({ group, name, ...line })),
);

test("every endpoint has a line in the access table, and every line an endpoint", () => {
  const names = new Set(endpoints.map(({ name }) => name));
  expect([
    ...endpoints
      .filter(({ name }) => findAccessRule(name) === undefined)
      .map(
        ({ name, group }) =>
          `${name} has no line under ${group} in ${TABLE}: add who may call it, and whether agents may.`,
      ),
    ...lines
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => `${name} is no endpoint: delete its line in ${TABLE}.`),
    ...lines
      .filter(({ name }, at) => lines.findIndex((one) => one.name === name) !== at)
      .map(({ name }) => `${name} has two lines in ${TABLE}: delete one.`),
  ]).toEqual([]);
});

test("each endpoint has the group and tool status of its line", () => {
  const declared = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const faults = lines.flatMap(({ name, group, agents }) => {
    const endpoint = declared.get(name);
    if (!endpoint) return [];
    const own = endpoint.notATool ?? "tool";
    return [
      ...(endpoint.group === group
        ? []
        : [`${name} stands under ${group} in ${TABLE} and says group "${endpoint.group}" itself.`]),
      ...(own === agents ? [] : [`${name} is "${agents}" for agents in ${TABLE} and says "${own}" itself (notATool).`]),
    ];
  });
  expect(faults).toEqual([]);
});

const inWords = (asked: unknown) => (asked === undefined ? "never" : asked === true ? "always" : "for some calls");

test("each endpoint requires a recent sign-in as its line says", () => {
  const wrong = endpoints.filter(
    (one) => inWords(one.recentSignIn) !== inWords(findAccessRule(one.name)?.recentSignIn),
  );
  expect(
    wrong.map(({ name }) => `${name} asks for a recent sign-in otherwise than ${TABLE} says: is it administration?`),
  ).toEqual([]);
});

test("each GET except account administration is a tool, and only writes marked for agents are", () => {
  const reading = endpoints.filter(({ method, notATool }) => method === "GET" && notATool !== undefined);
  expect(reading.map(({ notATool }) => notATool)).toEqual(reading.map(() => "account administration"));
  const writing = endpoints.filter(({ method, notATool }) => method !== "GET" && notATool === undefined);
  const unmarked = writing.filter(
    ({ name }) =>
      !/^(price|create)(Search|Brand)Analysis$|^(price|create)GeoAudit$|^createPersona$|^(price|create|update|rerun|archive)AssetEvaluation$/.test(
        name,
      ),
  );
  expect(unmarked.map(({ name }) => `${name} writes and is not marked for agents: give it a notATool.`)).toEqual([]);
  // A read scope must not be enough for a write.
  const weak = writing.filter(({ scope }) => scope === undefined || scope === "read");
  expect(weak.map(({ name }) => `${name} writes: give it a scope other than read.`)).toEqual([]);
});

const ID = "00000000-0000-7000-8000-000000000000";

test("each write has a body for the tests, and each list a way to add a row", () => {
  const bodiless = endpoints.filter(
    (one) => one.method !== "GET" && one.access !== "public" && !findAccessRule(one.name)?.body && !hasNoBody(one),
  );
  const lists = endpoints.filter(({ method, input }) => method === "GET" && "cursor" in input.shape);
  const unknown = lists.filter(({ name, path }) => findAccessRule(name)?.addedBy === undefined && !hasPost(path));
  expect([
    ...bodiless.map(({ name }) => `${name} needs a body in its line in ${TABLE}: one with which it succeeds.`),
    ...unknown.map(
      ({ name }) => `${name} needs addedBy in its line in ${TABLE}: the endpoint that adds a row, or null.`,
    ),
  ]).toEqual([]);
});

function hasNoBody({ path, input }: AnyEndpoint): boolean {
  return input.safeParse(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, key]) => [key, ID]))).success;
}

function hasPost(path: AnyEndpoint["path"]): boolean {
  return endpoints.some((endpoint) => endpoint.method === "POST" && endpoint.path === path);
}

test("each id in a path comes from a list", () => {
  const lists = new Set<string>(endpoints.filter(({ method }) => method === "GET").map(({ path }) => path));
  const unlisted = endpoints.flatMap(({ name, path }) =>
    [...path.matchAll(/\/:\w+/g)]
      .map((match) => path.slice(0, match.index))
      .filter((collection) => !lists.has(collection))
      .map((collection) => `${name} takes an id of ${collection}, and there is no GET ${collection} that lists them.`),
  );
  expect(unlisted).toEqual([]);
});
