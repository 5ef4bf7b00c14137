import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { call, parametersOf, withQueryIds } from "./call.ts";
import { findIdPaths, parameterOf } from "./ids.ts";
import { exampleOf, listResourceIds, openScene, SCENE_TIMEOUT_MS, type Scene } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

// Objects of another organization must appear not to exist, wherever a request names them.

let scene: Scene;
let ours: Map<string, ResourceIds[]>;
let theirs: Map<string, ResourceIds[]>;

beforeAll(async () => {
  scene = await openScene();
  ours = await listResourceIds(scene.owner, scene.home);
  theirs = await listResourceIds(scene.rival, scene.rivalHome);
}, SCENE_TIMEOUT_MS);
afterAll(() => scene[Symbol.asyncDispose]());

const tenantOnes = endpoints.filter(({ access }) => typeof access === "object");

test("has an object for every path parameter (to add one: test/whole/seeds.ts)", () => {
  const empty = endpoints.filter(({ path }) => ours.get(path)?.length === 0 || theirs.get(path)?.length === 0);
  expect(empty.map(({ path }) => path)).toEqual([]);
});

// Attack: name another organization's object below one's own organization and workspace.
test("answers 404 for another organization's id at every path parameter of every endpoint", async () => {
  const answers: string[] = [];
  const wanted: string[] = [];
  for (const endpoint of tenantOnes) {
    const own = ours.get(endpoint.path)?.[0] ?? scene.home;
    const [foreign = {}] = theirs.get(endpoint.path) ?? [{}];
    for (const parameter of parametersOf(endpoint)) {
      const ids = withQueryIds({ ...own, ...only(foreign, parameter) }, scene.home, ours);
      const body = await exampleAt(endpoint, own);
      const { status } = await call(scene.owner, endpoint, ids, body);
      answers.push(`${endpoint.name} :${parameter} ${status}`);
      wanted.push(`${endpoint.name} :${parameter} 404`);
    }
  }
  expect(answers).toEqual(wanted);
  expect(wanted.length).toBeGreaterThan(60);
});

function only(ids: ResourceIds, parameter: string): ResourceIds {
  return Object.fromEntries(Object.entries(ids).filter(([key]) => key === parameter));
}

async function exampleAt(endpoint: AnyEndpoint, ids: ResourceIds): Promise<unknown> {
  if (endpoint.method === "GET" || endpoint.method === "DELETE") return {};
  return exampleOf(endpoint, { person: scene.owner, home: scene.home, ids });
}

// Attack: name the own organization in the address and the rival's workspace, project or client in
// the query.
test("answers 404 for another organization's client_id or project_id at every search metric", async () => {
  const inQuery = tenantOnes.filter(({ path }) => path.startsWith("/api/"));
  const [project = {}] = theirs.get("/api/v1/projects/:project_id") ?? [];
  for (const endpoint of inQuery) {
    const own = ours.get(endpoint.path)?.[0] ?? scene.home;
    const ids = withQueryIds(own, scene.home, ours);
    const foreignClient = await call(scene.owner, endpoint, {
      ...ids,
      client_id: scene.rivalHome["organization_id"] ?? "",
    });
    expect([endpoint.name, foreignClient.status]).toEqual([endpoint.name, 404]);
    if (endpoint.name === "listProjects") continue;
    const foreignProject = await call(scene.owner, endpoint, { ...ids, ...project });
    expect([endpoint.name, foreignProject.status]).toEqual([endpoint.name, 404]);
  }
});

// Attack: name another organization's object in an otherwise valid body, with one's own ids in the
// address.
test("rejects another organization's id in every field of every body that takes one", async () => {
  const tried: string[] = [];
  for (const endpoint of tenantOnes.filter(({ method }) => method !== "GET" && method !== "DELETE")) {
    const own = ours.get(endpoint.path)?.[0] ?? scene.home;
    for (const place of findIdPaths(endpoint)) {
      const body = await exampleAt(endpoint, own);
      const foreign = await foreignIdOf(place.at(-1) === "*" ? (place.at(-2) ?? "") : (place.at(-1) ?? ""));
      if (!plant(body, place, foreign)) continue;
      const { status, body: told } = await call(scene.owner, endpoint, own, body);
      // A bulk operation reports each object's outcome.
      const isToldRefused = told.succeeded === 0 || told.results?.[0]?.status === "refused";
      const refused = (status >= 400 && status < 500) || isToldRefused;
      tried.push(`${endpoint.name} ${place.join(".")} ${refused ? "refused" : status}`);
    }
  }
  expect(tried.filter((line) => !line.endsWith(" refused"))).toEqual([]);
  expect(tried.length).toBeGreaterThan(3);
});

/** Sets a value at a place of a body if its parents exist. */
function plant(body: unknown, [key = "", ...rest]: readonly string[], value: string): boolean {
  if (typeof body !== "object" || body === null || body instanceof FormData) return false;
  const inside = body as Record<string, unknown>;
  if (rest.length === 0 && key !== "*") inside[key] = value;
  else if (rest.length === 1 && rest[0] === "*") inside[key] = [value];
  else return plant(inside[key === "*" ? "0" : key], rest, value);
  return true;
}

/** An id of the rival for a field of this name. */
async function foreignIdOf(field: string): Promise<string> {
  if (field === "quote_id") {
    const priced = endpoints.find(({ name }) => name === "priceSearchAnalysis");
    if (!priced) throw new Error("Nothing gives a quote.");
    const at = { person: scene.rival, home: scene.rivalHome, ids: scene.rivalHome };
    const { body } = await call(scene.rival, priced, scene.rivalHome, await exampleOf(priced, at));
    return body.quote_id as string;
  }
  const parameter = parameterOf(field);
  for (const chains of theirs.values()) {
    const id = chains[0]?.[parameter];
    if (id !== undefined) return id;
  }
  // Keywords have a list but no address.
  const keywords = endpoints.find(({ name }) => name === "listKeywords");
  const [analysis] = (keywords && theirs.get(keywords.path)) ?? [];
  if (parameter === "keyword_id" && keywords && analysis) {
    return (await call(scene.rival, keywords, analysis)).body.data[0].id as string;
  }
  throw new Error(`Whose id is ${field}? Say in parameterOf of test/whole/ids.ts.`);
}
