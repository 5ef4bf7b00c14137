import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import { PROVIDERS } from "../../src/outside/sources/providers.ts";
import { listEnvelopeFields } from "../../src/http/mcp/tools/tool-schema.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { toToolName } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";

// Rules of every declaration. A failure names the endpoint and the change to make.

test("names file, operation and tool alike, and each only once", () => {
  const files = readdirSync(join(import.meta.dirname, "../../tools"), { recursive: true, encoding: "utf8" });
  const faults = endpoints.flatMap((one, at) => {
    const file = `${toToolName(one).replaceAll("_", "-")}.ts`;
    const earlier = endpoints.slice(0, at);
    return [
      ...(files.some((path) => path.endsWith(`/${file}`)) ? [] : [`${one.name} belongs in a file named ${file}.`]),
      ...(earlier.some(({ name }) => name === one.name) ? [`Two endpoints are named ${one.name}.`] : []),
      ...(earlier.some(({ method, path }) => method === one.method && path === one.path)
        ? [`Two endpoints are at ${one.method} ${one.path}.`]
        : []),
      ...(toToolName(one).length > 64 ? [`The name ${one.name} is too long for a tool: 64 characters at most.`] : []),
    ];
  });
  expect(faults).toEqual([]);
});

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
const isThere = (path: string) => existsSync(join(import.meta.dirname, "../..", path));

test("every provider has a test, a page and a line in the changelog", () => {
  const faults = PROVIDERS.filter(({ name }) => name !== "simulated").flatMap(({ name }) => {
    const [testFile, page] = [`test/providers/${name}.test.ts`, `docs/providers/${name}.md`];
    const files = [testFile, `test/providers/${name}-cases.ts`].filter(isThere);
    const hasTest = isThere(testFile) && files.some((path) => read(path).includes(`/providers/${name}.ts"`));
    return [
      ...(hasTest ? [] : [`${name}: write ${testFile}, which imports its file.`]),
      ...(isThere(page) ? [] : [`${name}: write ${page}.`]),
      ...(new RegExp(`\\b${name}\\b`, "i").test(read("CHANGELOG.md")) ? [] : [`${name}: name it in CHANGELOG.md.`]),
    ];
  });
  expect(faults).toEqual([]);
});

/** Checks of 0.5.0, which the changelog does not list one by one. */
const UNNAMED_CHECKS = new Set(read("test/repository/checks-of-0.5.0.txt").trim().split("\n"));

test("every audit check has a test, a row in docs/audits.md and, if it is new, a line in the changelog", () => {
  const tests = readdirSync(join(import.meta.dirname, "../audits"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?:-checks|crawlers|answer-first)\.test\.ts$/.test(file))
    .map((file) => read(`test/audits/${file}`))
    .join("\n");
  const [docs, changelog] = [read("docs/audits.md"), read("CHANGELOG.md")];
  const checks = [...SITE_CHECKS, ...PAGE_CHECKS];
  const faults = checks.flatMap(({ id }) => {
    // Two checks of each robots rule share their cases, and crawlers are a list.
    const name = id.replace(/^(?:meta|header)_/, "");
    const hasTest = id.startsWith("crawler_") || new RegExp(`\\b(?:${id}|${name})\\b`).test(tests);
    return [
      ...(hasTest ? [] : [`${id}: write its cases in a *-checks.test.ts of test/audits.`]),
      ...(docs.includes(`| \`${id}\` |`) ? [] : [`${id}: run npm run generate.`]),
      ...(UNNAMED_CHECKS.has(id) || changelog.includes(`\`${id}\``) ? [] : [`${id}: name it in CHANGELOG.md.`]),
    ];
  });
  expect(faults).toEqual([]);
});

test("declares no endpoint whose path is shadowed by another's parameters", () => {
  const hidden = endpoints.flatMap((one, at) =>
    endpoints
      .slice(0, at)
      .filter((earlier) => earlier.method === one.method && matches(earlier.path, one.path))
      .map((earlier) => `${one.name} (${one.path}) is never reached: ${earlier.name} (${earlier.path}) comes first.`),
  );
  expect(hidden).toEqual([]);
});

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(path);
}

test("uses no envelope field name in tool results, except for the paging of lists", () => {
  const faults = buildToolTable(endpoints, EXAMPLE_BASE_URL).tools.flatMap(({ endpoint, list }) => {
    const schema = z.toJSONSchema(endpoint.output, { io: "output", unrepresentable: "any" });
    const fields = fieldNames(schema, schema.$defs ?? {});
    if (fields.size === 0) return [`${endpoint.name}: this test finds no field in its output; fix fieldNames.`];
    return listEnvelopeFields(list !== null)
      .filter((name) => fields.has(name) && !endpoint.notInTools?.includes(name))
      .map((name) => `${endpoint.name}: rename the field ${name}, which tools use, or list it in notInTools.`);
  });
  expect(faults).toEqual([]);
});

test("finds the fields of an output behind references and alternatives", () => {
  const Named = z.object({ notes: z.string() }).meta({ id: "Named" });
  const either = z.union([z.intersection(Named, z.object({ id: z.string() })), z.object({ total_count: z.int() })]);
  const schema = z.toJSONSchema(either);
  expect(fieldNames(schema, schema.$defs ?? {})).toEqual(new Set(["notes", "id", "total_count"]));
});

/** Names of the fields of an object schema, with those of references and alternatives. */
function fieldNames(schema: Part, defs: Record<string, Part>): Set<string> {
  if (typeof schema === "boolean") return new Set();
  const referenced = schema.$ref === undefined ? [] : [defs[schema.$ref.replace("#/$defs/", "")] ?? {}];
  const parts = [...referenced, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inherited = parts.flatMap((part) => [...fieldNames(part, defs)]);
  return new Set([...Object.keys(schema.properties ?? {}), ...inherited]);
}

/** Fields that need no description. */
const PLAIN_FIELDS =
  /^(countries|personas|name|title|description|motivations|pain_points|device|kind|methods|funnel_stages|prompt_kinds|schedule|related_product|sub_brand)$/;

test("describes every field that a caller can set, and the purpose of every endpoint", () => {
  const silent = endpoints.flatMap((endpoint) => {
    const { properties } = z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any" });
    return Object.entries(properties ?? {})
      .filter(
        ([key, field]) =>
          typeof field === "object" &&
          field.description === undefined &&
          field.enum === undefined &&
          field.anyOf === undefined &&
          !PLAIN_FIELDS.test(key),
      )
      .map(([key]) => `${endpoint.name}: the field ${key} needs a .describe().`);
  });
  const unclear = endpoints
    .filter(({ description }) => !/^[A-Z].{10,}[.?]$/s.test(description))
    .map(({ name }) => `${name}: say in the description, in whole sentences, what it is for.`);
  expect([...silent, ...unclear]).toEqual([]);
});

test("every list and every text of an input has a maximum", () => {
  // Attack: send the largest allowed body in one field that is then searched, compared or used in a
  // query.
  const faults = endpoints.flatMap((one) => {
    const schema = z.toJSONSchema(one.input, { io: "input", unrepresentable: "any" });
    const inner = Object.entries(schema.properties ?? {}).filter(([field]) => field !== one.file && field !== "lines");
    return inner
      .flatMap(([field, part]) => unbounded(part, field, schema.$defs ?? {}))
      .map((at) => `${one.name}: ${at}`);
  });
  expect(faults).toEqual([]);
});

type Part = z.core.JSONSchema._JSONSchema;

/** Lists and texts without a maximum. Enums, formats and patterns bound a text. */
function unbounded(part: Part, path: string, defs: Record<string, Part>): string[] {
  if (typeof part === "boolean") return [];
  if (part.$ref !== undefined) return unbounded(defs[part.$ref.replace("#/$defs/", "")] ?? {}, path, defs);
  const isText = part.type === "string" && !["enum", "const", "format", "pattern"].some((key) => key in part);
  const own = part.type === "array" ? part.maxItems : isText ? part.maxLength : 0;
  const same = [part.additionalProperties, ...(part.anyOf ?? []), ...(part.oneOf ?? [])];
  const inner: (readonly [string, Part | undefined])[] = [
    ...[part.items ?? []].flat().map((item) => [`${path}[]`, item] as const),
    ...Object.entries(part.properties ?? {}).map(([name, field]) => [`${path}.${name}`, field] as const),
    ...same.map((option) => [path, option] as const),
  ];
  return [
    ...(own === undefined ? [path] : []),
    ...inner.flatMap(([at, one]) => (one === undefined ? [] : unbounded(one, at, defs))),
  ];
}
