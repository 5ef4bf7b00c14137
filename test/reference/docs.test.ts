import { request as ask } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { groupOperations, searchOperations } from "../../src/http/reference/operations.ts";
import { endpoints } from "../../tools/index.ts";
import { toToolName } from "../../tools/endpoint.ts";
import { buildOpenApiDocument } from "../../src/http/rest/openapi.ts";
import { world } from "../support/world.ts";

const ADDRESSES = { baseUrl: "http://localhost:3000", searchBaseUrl: "http://localhost:3000" };

/** An answer as it came, still compressed. */
function get(
  address: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    ask(address, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => void parts.push(part));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    })
      .on("error", reject)
      .end();
  });
}

test("serves the reference only together with the REST API or the pages", async () => {
  for (const [SERVE, status] of [
    ["core", 200],
    ["web", 200],
    ["search,mcp", 404],
  ] as const) {
    await using w = await world({ env: { SERVE } });
    const answers = await Promise.all(
      ["/docs", "/docs/tags", "/docs/docs.css", "/openapi.json"].map((path) => w.request("GET", path)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status, status]);
  }
});

test("serves reference pages without scripts or inline styles, and only the reference's own files", async () => {
  // Attack: a script that a text of the document or of a search brings in, or a path that leads out
  // of the served files.
  await using w = await world({ env: { SERVE: "core" } });
  for (const path of ["/docs", "/docs/brand-catalog", "/docs?search=%3Cscript%3Ealert(1)%3C/script%3E"]) {
    const page = await w.request("GET", path);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; style-src 'self'; ");
    expect(policy).not.toMatch(/unsafe|\*|https?:|script-src/);
    expect(page.body).not.toMatch(/<script|<style| style=| on\w+=/);
  }
  const outside = ["/docs/package.json", "/docs/..%2Fpackage.json", "/docs/nothing", "/docs/%2e%2e/app.ts"];
  const answers = await Promise.all(outside.map((path) => w.request("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual(outside.map(() => 404));
});

test("compresses and caches public files, and never compresses responses that may hold secrets", async () => {
  // Fault: 850 KB of document and 1.6 MB of viewer at every visit. Attack: BREACH, guessing a
  // secret by how well a body compresses.
  await using w = await world();
  const acme = await w.acme();
  const accepts = { "accept-encoding": "gzip, br" };
  for (const path of ["/docs", "/docs/analyses", "/openapi.json"]) {
    const first = await get(w.config.baseUrl + path, accepts);
    expect([path, first.headers["content-encoding"], first.headers["vary"]]).toEqual([path, "br", "Accept-Encoding"]);
    expect(brotliDecompressSync(first.body).length).toBeGreaterThan(4 * first.body.length);
    const zipped = await get(w.config.baseUrl + path, { "accept-encoding": "gzip" });
    expect(gunzipSync(zipped.body)).toEqual(brotliDecompressSync(first.body));
    const again = await get(w.config.baseUrl + path, { ...accepts, "if-none-match": String(first.headers["etag"]) });
    expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
    expect((await get(w.config.baseUrl + path, { ...accepts, "if-none-match": 'W/"another"' })).status).toBe(200);
  }
  for (const path of ["/docs/style.css", "/assets/style.css"])
    expect((await get(w.config.baseUrl + path, accepts)).headers["content-encoding"]).toBe("br");
  const authorization = `Bearer ${acme.owner.accessToken}`;
  for (const path of ["/sign-in", "/v1/auth/me", "/v1/organizations"])
    expect(
      (await get(w.config.baseUrl + path, { ...accepts, authorization })).headers["content-encoding"],
    ).toBeUndefined();
});

test("says on the start page how to sign in, with a working example per group", async () => {
  await using w = await world();
  const { body } = await w.request("GET", "/docs");
  expect(body).toContain("/v1/auth/token");
  const groups = groupOperations(buildOpenApiDocument(w.config));
  for (const { slug } of groups) expect(body).toMatch(new RegExp(`<h2 id="${slug}">[^]*?<code>curl -s`));
  expect(groups.map(({ name }) => name)).toEqual([...new Set(groups.map(({ name }) => name))]);
});

test("search finds every operation by its name, its tool, its path and its summary; a group's page has all of it", async () => {
  await using w = await world({ env: { SERVE: "core" } });
  const groups = groupOperations(buildOpenApiDocument(ADDRESSES));
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    for (const text of [endpoint.name, toToolName(endpoint), `${endpoint.method} ${path}`, endpoint.summary])
      expect([text, searchOperations(groups, text).map(({ id }) => id)]).toEqual([
        text,
        expect.arrayContaining([toToolName(endpoint)]),
      ]);
  }
  expect((await w.request("GET", "/docs?search=create+tag")).body).toContain('href="/docs/tags#create_tag"');
  expect((await w.request("GET", "/docs?search=zzz")).body).toContain("No operation has all of these words.");
  for (const { slug, operations } of groups) {
    const { body } = await w.request("GET", `/docs/${slug}`);
    expect(operations.filter(({ id }) => !body.includes(`<h2 id="${id}">`))).toEqual([]);
  }
});

test("gives examples that the endpoints accept", () => {
  // Fault: a copied example was rejected.
  const operations = groupOperations(buildOpenApiDocument(ADDRESSES)).flatMap((group) => group.operations);
  const refused = endpoints.flatMap((endpoint) => {
    const example = operations.find(({ id }) => id === toToolName(endpoint))?.example ?? "";
    const [, sent] = /-d '([^]*)'$/.exec(example) ?? [];
    if (sent === undefined) return [];
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [
      name,
      "0198a1f2-6c1e-7c3a-9a54-2f0d6f1b7c11",
    ]);
    const body = JSON.parse(sent.replaceAll(String.raw`'\''`, "'")) as object;
    const parsed = endpoint.input.safeParse({ ...Object.fromEntries(inPath), ...body });
    return parsed.success ? [] : [`${endpoint.name}: ${parsed.error.message}`];
  });
  expect(refused).toEqual([]);
});
