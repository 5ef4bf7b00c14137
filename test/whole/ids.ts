import { z } from "zod";
import type { AnyEndpoint } from "../../tools/endpoint.ts";

// Finds the request fields that hold ids, and the type of object they name.

type JsonSchema = Record<string, unknown>;

/** Id fields whose name differs from the path parameter of their object. */
const PARAMETER_ALIASES: Readonly<Record<string, string>> = {
  client_id: "organization_id",
  competitor_id: "brand_id",
  parent_id: "brand_id",
  parent: "tag_id",
  tag: "tag_id",
  id: "result_id",
  prev_collect_id: "collect_id",
};

/** The path parameter that takes the ids which a field of this name takes. */
export function parameterOf(field: string): string {
  const single = field.replace(/s$/, "");
  return PARAMETER_ALIASES[single] ?? single;
}

/**
 * Every place of an endpoint's body or query that takes an id, as steps into it; `*` steps into a
 * list.
 */
export function findIdPaths(endpoint: AnyEndpoint): string[][] {
  const schema = z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any", reused: "inline" });
  return placesIn(schema as JsonSchema, []).filter(([first]) => !endpoint.path.includes(`:${first}`));
}

function placesIn(schema: JsonSchema, steps: string[]): string[][] {
  if (schema["format"] === "uuid") return [steps];
  const options = [...((schema["anyOf"] ?? []) as JsonSchema[]), ...((schema["allOf"] ?? []) as JsonSchema[])];
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  const items = schema["items"] as JsonSchema | undefined;
  return [
    ...options.flatMap((option) => placesIn(option, steps)),
    ...properties.flatMap(([key, inner]) => placesIn(inner, [...steps, key])),
    ...(items ? placesIn(items, [...steps, "*"]) : []),
  ];
}
