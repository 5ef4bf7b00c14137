import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { buildOpenApiDocument } from "../../src/http/rest/openapi.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { endpoints } from "../../tools/index.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { inlineParts } from "../support/openapi-parts.ts";
import type { Answer } from "../support/world.ts";

// Validates responses against the service's own OpenAPI document and tool schemas.

const ADDRESS = "http://localhost:3000";

export const document = inlineParts(buildOpenApiDocument({ baseUrl: ADDRESS, searchBaseUrl: ADDRESS }));
export const tools = buildToolTable(endpoints, EXAMPLE_BASE_URL);

const ajv = new Ajv2020({ strict: false, validateFormats: true });
formats.default(ajv);
ajv.addSchema(document, "openapi");

const ERROR = "#/components/schemas/Error";
const compiled = new Map<string, ValidateFunction>();

/** The validator of the schema at a JSON pointer; undefined if there is none. */
function validatorAt(pointer: string): ValidateFunction | undefined {
  const known = compiled.get(pointer);
  if (known) return known;
  let found: unknown = document;
  for (const step of pointer.slice(2).split("/")) {
    found = (found as Record<string, unknown> | undefined)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  if (found === undefined) return undefined;
  const made = ajv.compile({ $ref: `openapi${pointer}` });
  compiled.set(pointer, made);
  return made;
}

function operationPointer({ path, method }: AnyEndpoint): string {
  const template = path
    .replaceAll(/:(\w+)/g, "{$1}")
    .replaceAll("~", "~0")
    .replaceAll("/", "~1");
  return `#/paths/${template}/${method.toLowerCase()}`;
}

/** Differences between a response and the operation's declared schema; empty if it conforms. */
export function findUndeclared(endpoint: AnyEndpoint, answer: Answer): string[] {
  const response = `${operationPointer(endpoint)}/responses/${answer.status}/content/application~1json/schema`;
  const validate = validatorAt(response);
  if (!validate) return [`status ${answer.status} is not declared`];
  return [...unfitting(validate, answer.body), ...wrongEnvelope(answer)];
}

/** Like undeclared, for responses without an operation: an unknown address or method. */
export function findUndeclaredError(answer: Answer): string[] {
  const validate = validatorAt(ERROR);
  if (!validate) throw new Error("The document has no error schema.");
  return [...unfitting(validate, answer.body), ...wrongEnvelope(answer)];
}

function unfitting(validate: ValidateFunction, body: unknown): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`);
}

/** Faults in the headers and envelope of a response. */
function wrongEnvelope({ status, headers, body }: Answer): string[] {
  const faults: string[] = [];
  const id = headers.get("x-request-id");
  if (id === null) faults.push("no X-Request-Id");
  if (status >= 400 && body.request_id !== id) faults.push("request_id is not the X-Request-Id");
  if (!/^application\/json\b/.test(headers.get("content-type") ?? "")) faults.push("Content-Type is not JSON");
  if (headers.get("cache-control") !== "no-store") faults.push("Cache-Control is not no-store");
  if (status === 401 && headers.get("www-authenticate") === null) faults.push("401 without WWW-Authenticate");
  if (status === 405 && headers.get("allow") === null) faults.push("405 without Allow");
  return faults;
}

const outputs = new Map(
  // The SDK's type of a listed schema is wider than ajv's; both are JSON Schema. A listing without
  // a schema declares any object.
  tools.tools.map(({ name, listed }) => [name, ajv.compile((listed.outputSchema ?? { type: "object" }) as AnySchema)]),
);

/** Parts of a tool's structured content that its output schema does not allow. */
export function findUndeclaredResult(tool: string, structured: unknown): string[] {
  const validate = outputs.get(tool);
  return validate ? unfitting(validate, structured) : [`${tool} is no tool`];
}
