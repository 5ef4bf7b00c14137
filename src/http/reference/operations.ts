import type { Access } from "../../../auth/authorise.ts";
import { toToolName } from "../../../tools/endpoint.ts";
import { endpoints } from "../../../tools/index.ts";
import { listFields, resolveReference, buildSample, describeType, type Field, type Json } from "./schema-fields.ts";

export interface Operation {
  id: string;
  groupName: string;
  method: string;
  /** Path of the operation, such as `/v1/workspaces/{workspace_id}`. */
  path: string;
  summary: string;
  description: string;
  requiredAccess: string;
  agents: string;
  parameters: Field[];
  body: Field[];
  response: { status: string; fields: Field[] };
  errorResponses: { status: string; description: string }[];
  /** Shell command with all required parameters. */
  example: string;
}

export interface Group {
  name: string;
  slug: string;
  description: string;
  operations: Operation[];
}

export function groupOperations(document: Json): Group[] {
  const operations = Object.entries(document["paths"] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, of]) => toOperation(method, path, of, document)),
  );
  return (document["tags"] as { name: string; description: string }[]).map(({ name, description }) => ({
    name,
    slug: name.toLowerCase().replaceAll(" ", "-"),
    description,
    operations: operations.filter(({ groupName }) => groupName === name),
  }));
}

/** Finds operations that contain every word; matches in the name come first. */
export function searchOperations(groups: readonly Group[], text: string): Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (inText: string) => words.every((word) => inText.toLowerCase().includes(word));
  const found = groups.flatMap(({ operations }) => operations).filter((one) => has(buildSearchText(one)));
  const isNamed = ({ id, path, summary }: Operation) => has(`${id} ${path} ${summary}`);
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))];
}

function buildSearchText(of: Operation): string {
  const fields = [...of.parameters, ...of.body, ...of.response.fields].map(({ path }) => path);
  const camelCase = of.id.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return [of.id, camelCase, of.groupName, of.method, of.path, of.summary, of.description, ...fields].join(" ");
}

function toOperation(method: string, path: string, declared: Json, document: Json): Operation {
  const responses = Object.entries(declared["responses"] as Json);
  const [[status, answer] = ["200", {}]] = responses;
  const id = String(declared["operationId"]);
  const tool = declared["x-agent-tool"] as { scope?: string; reason?: string };
  const bodySchema = findBodySchema(declared, document);
  const parameters = ((declared["parameters"] ?? []) as unknown[]).map((one) => resolveReference(one, document));
  return {
    id,
    groupName: String((declared["tags"] as unknown[])[0]),
    method: method.toUpperCase(),
    path,
    summary: String(declared["summary"]),
    description: String(declared["description"]),
    requiredAccess: describeNeeds(id),
    agents: tool.reason === undefined ? `The tool ${id}, scope ${tool.scope}.` : `No tool: ${tool.reason}.`,
    parameters: parameters.map((one) => toParameterField(one, document)),
    body: bodySchema === undefined ? [] : listFields(bodySchema, document),
    response: { status, fields: listFields(getResponseSchema(resolveReference(answer, document)), document) },
    errorResponses: responses.slice(1).map(([refusal, response]) => ({
      status: refusal,
      description: String(resolveReference(response, document)["description"]),
    })),
    example: buildExample(
      {
        method,
        path,
        parameters,
        bodySchema,
        isPublic: (declared["security"] as unknown[]).length === 0,
        isLines: isLines(declared),
      },
      document,
    ),
  };
}

function toParameterField(parameter: Json, document: Json): Field {
  const described = typeof parameter["description"] === "string" ? parameter["description"] : "";
  const standard = resolveReference(parameter["schema"], document)["default"];
  return {
    path: String(parameter["name"]),
    type: `${describeType(parameter["schema"], document)}, in the ${String(parameter["in"])}`,
    isRequired: parameter["required"] === true,
    description: standard === undefined ? described : `${described} Default: ${JSON.stringify(standard)}.`.trim(),
  };
}

const accessByOperation = new Map(endpoints.map((one) => [toToolName(one), one.access]));

function describeNeeds(id: string): string {
  const access: Access | undefined = accessByOperation.get(id);
  if (access === undefined || access === "public") return "No sign-in.";
  if (access === "signed-in") return "A sign-in.";
  if ("organization" in access) return `The organization role ${access.organization}, or a higher one.`;
  return "workspace" in access
    ? `The workspace role ${access.workspace}, or a higher one.`
    : `The role ${access.project} in the project's workspace, or a higher one.`;
}

function getContent(of: Json): Record<string, Json> {
  return (of["content"] ?? {}) as Record<string, Json>;
}

function getResponseSchema(response: Json): unknown {
  return Object.values(getContent(response))[0]?.["schema"];
}

function isLines(of: Json): boolean {
  return "application/x-ndjson" in getContent((of["requestBody"] ?? {}) as Json);
}

/** Prefers the JSON body; a body with a file exists only as a form. */
function findBodySchema(of: Json, document: Json): Json | undefined {
  const types = getContent((of["requestBody"] ?? {}) as Json);
  const type = types["multipart/form-data"] ?? types["application/json"];
  return type && resolveReference(type["schema"], document);
}

function buildExample(
  request: {
    method: string;
    path: string;
    parameters: Json[];
    bodySchema: Json | undefined;
    isPublic: boolean;
    isLines: boolean;
  },
  document: Json,
): string {
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = request.parameters
    .filter((one) => one["in"] === "query" && one["required"] === true)
    .map((one) => `${String(one["name"])}=$${String(one["name"]).toUpperCase()}`)
    .join("&");
  const verb = request.method === "get" ? "" : ` -X ${request.method.toUpperCase()}`;
  const body =
    request.bodySchema && JSON.stringify(buildSample(request.bodySchema, document)).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s${verb} "$BASE${path}${query && `?${query}`}"`,
    ...(request.isPublic ? [] : [`-H "authorization: Bearer $TOKEN"`]),
    ...(request.isLines ? ["-H 'content-type: application/x-ndjson' --data-binary @answers.jsonl"] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d '${body}'`]),
  ].join(" \\\n  ");
}
