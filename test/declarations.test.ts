import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { toolName } from "../tools/endpoint.ts";
import { endpoints } from "../tools/index.ts";

// What every declaration must keep. Each failure names the endpoint and what to change.

test("file, operation and tool have one name, and no two endpoints share one", () => {
  const files = readdirSync(join(import.meta.dirname, "../tools"), { recursive: true, encoding: "utf8" });
  const faults = endpoints.flatMap((one, at) => {
    const file = `${toolName(one).replaceAll("_", "-")}.ts`;
    const earlier = endpoints.slice(0, at);
    return [
      ...(files.some((path) => path.endsWith(`/${file}`)) ? [] : [`${one.name} belongs in a file named ${file}.`]),
      ...(earlier.some(({ name }) => name === one.name) ? [`Two endpoints are named ${one.name}.`] : []),
      ...(earlier.some(({ method, path }) => method === one.method && path === one.path)
        ? [`Two endpoints are at ${one.method} ${one.path}.`]
        : []),
      ...(toolName(one).length > 64 ? [`The name ${one.name} is too long for a tool: 64 characters at most.`] : []),
    ];
  });
  expect(faults).toEqual([]);
});

test("no endpoint stands behind another whose parameters would take its words", () => {
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

/** Fields whose name says it all. */
const PLAIN_FIELDS =
  /^(countries|personas|name|title|description|motivations|pain_points|device|kind|methods|funnel_stages|prompt_kinds|schedule|related_product|sub_brand)$/;

test("every field that a caller can set is described or speaks for itself, and every endpoint says what it is for", () => {
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
