import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { buildOpenApiDocument } from "../../src/http/rest/openapi.ts";
import { world } from "../support/world.ts";
import { coreScene } from "./core-scene.ts";
import { operationOf, type Reference } from "./reference-document.ts";
import { AREAS } from "./rules.ts";
import { PENDING_RULES } from "./pending-rules.ts";
import { rule } from "./rule.ts";

// Sections 1, 2, 4 and 9: addresses, groups, identifiers, bodies and versions, over the whole
// interface.

rule("1 · HTTPS and JSON", async () => {
  const w = await coreScene();
  const answers = [await w.owner.get("/v1/workspaces"), await w.request("GET", "/v1/workspaces")];
  expect(answers.map(({ headers }) => headers.get("content-type"))).toEqual(
    answers.map(() => "application/json; charset=utf-8"),
  );
});

rule("1 · organizations contain workspaces", async () => {
  const w = await coreScene();
  const { body } = await w.owner.get(`${w.organization.path}/workspaces`);
  expect(body.data.map((row: { organization_id: string }) => row.organization_id)).toEqual([
    w.organization.id,
    w.organization.id,
  ]);
  const foreign = `${w.organization.path}/workspaces/${w.rival.workspace.id}`;
  expect(await w.owner.get(foreign)).toMatchObject({ status: 404 });
});

rule("1 · search-metrics address", async () => {
  await using w = await world({ env: { SEARCH_BASE_URL: "https://search.example.test" } });
  const reference = (await w.request("GET", "/openapi.json")).body as Reference;
  const searching = Object.entries(reference.paths).filter(([path]) => path.startsWith("/api/v1/"));
  expect(searching.length).toBeGreaterThan(1);
  for (const [, operations] of searching) {
    for (const { servers } of Object.values(operations)) {
      expect(servers?.map(({ url }) => url)).toEqual(["https://search.example.test"]);
    }
  }
});

for (const area of AREAS.filter((one) => !PENDING_RULES.has(`1 · group ${one}`))) {
  rule(`1 · group ${area}`, async () => {
    const { reference } = await coreScene();
    expect(reference.tags.map(({ name }) => name)).toContain(area);
    const operations = Object.values(reference.paths).flatMap((byMethod) => Object.values(byMethod));
    expect(operations.some(({ tags }) => tags.includes(area))).toBe(true);
  });
}

/** Paths that exist once a section's rules can pass. */
const SIGNS: Record<string, RegExp> = {
  "5 · OAuth 2.0": /\/platform-accounts\b/,
  "1 · Brand Awareness": /\/metrics\/brand-awareness$/,
  "1 · Brand Perception": /\/metrics\/brand-perception$/,
  "1 · tools: GEO audits": /\/geo-audits$/,
  "1 · tools: asset evaluations": /\/asset-evaluations$/,
};

rule("1 · Brand Awareness", async () => {
  const { reference } = await coreScene();
  const path = Object.keys(reference.paths).find((one) => SIGNS["1 · Brand Awareness"]?.test(one));
  const operation = reference.paths[path ?? ""]?.["get"];
  expect(JSON.stringify(operation)).toContain("comes to mind (unaided) and is known by name (aided)");
});

rule("1 · Brand Perception", async () => {
  const { reference } = await coreScene();
  const path = Object.keys(reference.paths).find((one) => SIGNS["1 · Brand Perception"]?.test(one));
  const operation = reference.paths[path ?? ""]?.["get"];
  expect(JSON.stringify(operation)).toContain("the sentiment of models towards a brand");
  const row = reference.components.schemas["BrandPerceptionRow"];
  expect(row?.["required"]).toEqual(expect.arrayContaining(["sentiment", "pros", "cons"]));
  expect(JSON.stringify(row?.["properties"])).toContain("(more_pros - more_cons) / with_either");
});

test("nothing listed as missing exists", async () => {
  const { reference } = await coreScene();
  const paths = Object.keys(reference.paths);
  const there = Object.entries(SIGNS).filter(
    ([id, sign]) => PENDING_RULES.has(id) && paths.some((path) => sign.test(path)),
  );
  expect(there.map(([id]) => id)).toEqual([]);
  const used = new Set(
    Object.values(reference.paths).flatMap((byMethod) => Object.values(byMethod).flatMap(({ tags }) => tags)),
  );
  expect(AREAS.filter((area) => PENDING_RULES.has(`1 · group ${area}`) && used.has(area))).toEqual([]);
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

rule("2 · identifiers", async () => {
  const w = await coreScene();
  const made = await w.owner.post(`${w.workspace.path}/brands`, { name: "Identified" });
  expect([made.body.id, w.organization.id, w.workspace.id]).toEqual([1, 2, 3].map(() => expect.stringMatching(UUID)));
  const inPaths = pathParameters(w.reference);
  expect(inPaths.length).toBeGreaterThan(20);
  expect(inPaths.filter(({ format }) => format !== "uuid")).toEqual([]);
});

rule("2 · timestamps", async () => {
  const w = await coreScene();
  const { body } = await w.owner.post(`${w.workspace.path}/brands`, { name: "Timed" });
  expect([body.created_at, body.updated_at]).toEqual(["2026-11-21T08:00:00.000Z", "2026-11-21T08:00:00.000Z"]);
  const named = Object.entries(w.reference.components.schemas).flatMap(([schema, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, unknown>)
      .filter(([field]) => field.endsWith("_at"))
      .map(([field, described]) => ({ field: `${schema}.${field}`, described: JSON.stringify(described) })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ described }) => !described.includes('"format":"date-time"'))).toEqual([]);
});

rule("4 · path identifiers", async () => {
  const w = await coreScene();
  const path = `${w.organization.path}/workspaces/not-an-id`;
  expect([404, 400]).toContain((await w.owner.get(path)).status);
  expect(pathParameters(w.reference).filter(({ required, type }) => !required || type !== "string")).toEqual([]);
});

function pathParameters({ paths }: Reference) {
  return Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ operationId, parameters }) =>
      (parameters ?? [])
        .filter((one) => one.in === "path")
        .map(({ name, required, schema }) => {
          const { type, format } = schema as { type?: string; format?: string };
          return { of: operationId, name, required, type, format };
        }),
    ),
  );
}

/** Sends one persona in a content type; returns the created one. */
async function createBy(type: string, body: string | URLSearchParams | FormData) {
  const w = await coreScene();
  // A form's own type, which names its boundary, is set with the body.
  const headers = body instanceof FormData ? {} : { "content-type": type };
  const answer = await w.owner.request("POST", `${w.workspace.path}/personas`, { body, headers });
  expect([type, answer.status, answer.body]).toMatchObject([type, 201, { motivations: ["Coffee"], country: "US" }]);
  return w.reference;
}

const persona = (name: string) => ({ name, motivations: ["Coffee"], language: "en", country: "US" });

const asPairs = (name: string): [string, string][] => [
  ["name", name],
  ["motivations", "Coffee"],
  ["language", "en"],
  ["country", "US"],
];

/** Core write endpoints without the three named content types; uploads and lines have their own. */
function undeclared({ paths }: Reference, type: string): string[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith("/v1/"))
    .flatMap(([, operations]) => Object.values(operations))
    .filter(({ requestBody }) => {
      const types = Object.keys(requestBody?.content ?? {});
      return types.length > 0 && !types.includes(type) && !types.includes("application/x-ndjson");
    })
    .map(({ operationId }) => operationId);
}

rule("4 · application/json", async () => {
  const reference = await createBy("application/json", JSON.stringify(persona("By JSON")));
  expect(undeclared(reference, "application/json")).toEqual([]);
});

rule("4 · application/x-www-form-urlencoded", async () => {
  const reference = await createBy("application/x-www-form-urlencoded", new URLSearchParams(asPairs("By a form")));
  expect(undeclared(reference, "application/x-www-form-urlencoded")).toEqual([]);
});

rule("4 · multipart/form-data", async () => {
  const form = new FormData();
  for (const [name, value] of asPairs("By multipart")) form.append(name, value);
  expect(undeclared(await createBy("multipart/form-data", form), "multipart/form-data")).toEqual([]);
});

rule("4 · any other content type", async () => {
  for (const type of ["text/plain", "application/vnd.acme+json", "application/octet-stream"]) {
    await createBy(type, JSON.stringify(persona(`By ${type}`)));
  }
});

rule("9 · v1", async () => {
  const { reference } = await coreScene();
  expect(reference.info).toMatchObject({ version: expect.stringMatching(/^1\./) });
});

rule("9 · paths", async () => {
  const { reference } = await coreScene();
  const paths = Object.keys(reference.paths);
  expect(paths.filter((path) => !/^\/(api\/)?v1\//.test(path) && !path.startsWith("/scim/v2/"))).toEqual([]);
  for (const path of ["/api/v1/keywords-metrics", "/api/v1/top-brands"]) expect(paths).toContain(path);
  expect(operationOf(reference, "GET", "/v1/workspaces").tags).toEqual(["Workspaces"]);
});

rule("9 · deployments", async () => {
  await using development = await world();
  for (const deployment of [await coreScene(), development]) {
    const reference = (await deployment.request("GET", "/openapi.json")).body as Reference;
    expect(reference.servers.map(({ url }) => url)).toEqual([deployment.config.baseUrl]);
  }
  const BASE_URL = "https://visibility.example.test";
  const production = buildOpenApiDocument(readConfig({ BASE_URL }));
  expect(production).toMatchObject({ servers: [{ url: BASE_URL }] });
});

rule("9 · no other marker", async () => {
  const w = await coreScene();
  const { headers } = await w.owner.get("/v1/workspaces");
  expect([...headers.keys()].filter((name) => /version/i.test(name))).toEqual([]);
  const parameters = Object.values(w.reference.paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ parameters: own }) => own ?? []),
  );
  expect(parameters.filter(({ name }) => /version/i.test(name))).toEqual([]);
});
