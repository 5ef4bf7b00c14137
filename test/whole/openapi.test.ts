import { fileURLToPath } from "node:url";
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openApiText } from "../../src/reference.ts";

const config = await loadConfig({ configPath: fileURLToPath(import.meta.resolve("#root/redocly.yaml")) });

async function problemsOf(source: string): Promise<string[]> {
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

test("the OpenAPI document passes a strict linter, and would not if two operations had one name", async () => {
  const source = openApiText();
  expect(await problemsOf(source)).toEqual([]);
  const broken = await problemsOf(source.replace('"operationId": "get_me"', '"operationId": "list_brands"'));
  expect(broken.map((problem) => problem.split(" ", 1)[0])).toContain("operation-operationId-unique");
});
