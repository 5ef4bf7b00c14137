import { fileURLToPath } from "node:url";
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openApiText } from "../../scripts/reference.ts";
import { endpoints } from "../../tools/index.ts";
import { world } from "../support/world.ts";
import { findUndeclared } from "./declared.ts";

const config = await loadConfig({ configPath: fileURLToPath(import.meta.resolve("#root/redocly.yaml")) });

async function problemsOf(source: string): Promise<string[]> {
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

test("passes a strict OpenAPI linter, which would detect a duplicate operation name", async () => {
  const source = openApiText();
  expect(await problemsOf(source)).toEqual([]);
  const broken = await problemsOf(source.replace('"operationId": "get_me"', '"operationId": "list_brands"'));
  expect(broken.map((problem) => problem.split(" ", 1)[0])).toContain("operation-operationId-unique");
});

test("defines parts shared by several operations once, as named components", () => {
  const document = JSON.parse(openApiText());
  const operations = Object.values(document.paths as Record<string, object>).flatMap((one) => Object.values(one));
  const parts = operations.flatMap(({ parameters = [], responses }) => [...parameters, ...Object.values(responses)]);
  const inPlace = parts.filter((part) => part.$ref === undefined).map((part) => JSON.stringify(part));
  expect(inPlace.filter((part, at) => inPlace.indexOf(part) !== at && !hasNoNameOfItsOwn(part))).toEqual([]);
  const names = ["parameters", "responses", "schemas"].flatMap((kind) => Object.keys(document.components[kind]));
  expect(names.filter((name) => !/^([A-Z][A-Za-z]+|[a-z_]+_requestBody)$/.test(name))).toEqual([]);
});

/**
 * Two kinds of tags have a tag_id, and an error union of more than three would get too long a name.
 */
function hasNoNameOfItsOwn(part: string): boolean {
  const { name, description } = JSON.parse(part);
  return name === "tag_id" || /^\w+: .*(; \w+: .*){3}/.test(description);
}

test("rejects with the status, code, headers and body that the document declares for the operation", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const faults = await Promise.all(
    endpoints.map(async (endpoint) => {
      const address = endpoint.path.replaceAll(/:\w+/g, "nobody");
      const body = endpoint.method === "GET" || endpoint.method === "DELETE" ? {} : { body: "[]" };
      const answer = await owner.request(endpoint.method, `${address}?nothing=1`, body);
      return [
        ...findUndeclared(endpoint, answer),
        ...(answer.status >= 400 && answer.status < 500 ? [] : [`is no refusal: ${answer.status}`]),
      ].map((fault) => `${endpoint.name}: ${fault}`);
    }),
  );
  expect(faults.flat()).toEqual([]);
});
