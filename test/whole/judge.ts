import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import type { ErrorCode } from "../../core/shared/errors.ts";
import { listErrorCodes } from "../../src/http/rest/openapi-errors.ts";
import { isFilledTarget } from "../../src/call/call-targets.ts";
import { normaliseArguments } from "../../src/http/mcp/tools/tool-arguments.ts";
import type { Answer } from "../support/world.ts";
import type { Fields } from "./call.ts";
import { findUndeclared, findUndeclaredError, findUndeclaredResult } from "./declared.ts";
import type { Plan } from "./plan.ts";
import type { ResourceIds } from "./seeds.ts";

// Invariants of every response to a fuzzed request.

/** A resolved request with its response. */
export interface Exchange {
  plan: Plan;
  ids: ResourceIds;
  fields: Fields;
  answer: Answer;
  /** True where the organization that the address names is the caller's own, by chance. */
  isAtHome: boolean;
}

/** True if the call was carried out. */
export function succeeds({ plan, answer: { status, body } }: Exchange): boolean {
  return status < 300 && (plan.door === "rest" || (body.result !== undefined && body.result.isError !== true));
}

/** Everything that is wrong with an answer. */
export function findFaults(exchange: Exchange): string[] {
  const { plan, answer } = exchange;
  const found = plan.door === "tool" ? toolFaults(exchange) : restFaults(exchange);
  if (answer.status === 500) found.push("500");
  if (succeeds(exchange)) found.push(...findAcceptedFaults(exchange));
  return found;
}

function restFaults({ plan, answer }: Exchange): string[] {
  const { endpoint, damage, who } = plan;
  if (damage.kind === "method")
    return answer.status === 405 ? findUndeclaredError(answer) : [`${answer.status} for a method that is not taken`];
  if (damage.kind === "percent")
    // 405 if the broken word matches a parameter of another method's path.
    return [400, 401, 404, 405].includes(answer.status)
      ? findUndeclaredError(answer)
      : [`${answer.status} for a broken address`];
  const unsigned = (who === "nobody" || who === "forged") && endpoint.access !== "public";
  if (unsigned && answer.status !== 401) return [`${answer.status} without sign-in`];
  return findUndeclared(endpoint, answer);
}

/** Error codes that the tool interface adds to an endpoint's own. */
const TOOL_ERROR_CODES: readonly ErrorCode[] = ["NOT_CONFIRMED", "VALIDATION_FAILED"];

function toolFaults({ plan, answer: { status, body } }: Exchange): string[] {
  const unsigned = plan.who === "nobody" || plan.who === "forged";
  if (unsigned) return status === 401 ? [] : [`${status} without sign-in`];
  if (status !== 200) return status < 500 && plan.damage.kind === "no-object" ? [] : [`status ${status}`];
  if (body.error !== undefined) return plan.damage.kind === "no-object" ? [] : [`protocol error ${body.error.code}`];
  const { isError, content, structuredContent } = body.result;
  if (isError !== true) return findUndeclaredResult(toToolName(plan.endpoint), structuredContent);
  const { code, message, retryable, hint } = JSON.parse(content[0].text) as Fields;
  const whole = typeof message === "string" && typeof retryable === "boolean" && typeof hint === "string";
  const known = listErrorCodes(plan.endpoint).has(code as ErrorCode) || TOOL_ERROR_CODES.some((one) => one === code);
  return [
    ...(whole && structuredContent === undefined ? [] : ["a refusal that is not whole"]),
    ...(known ? [] : [`code ${String(code)} is not declared`]),
    ...(code === "INTERNAL" ? ["500"] : []),
  ];
}

/**
 * Calls that must not succeed: writes without permission, and input that the endpoint's schema
 * rejects.
 */
function findAcceptedFaults({ plan, ids, fields, isAtHome }: Exchange): string[] {
  const { endpoint, who, damage, door, encoding } = plan;
  const writes = endpoint.method !== "GET" && typeof endpoint.access === "object";
  const isForReaders =
    typeof endpoint.access === "object" && "workspace" in endpoint.access && endpoint.access.workspace === "viewer";
  const isReader = who === "viewer" && !isForReaders;
  const weak = writes && (isReader || who === "guest" || (who === "rival" && !isAtHome));
  const plain =
    door === "tool" ||
    (endpoint.method !== "GET" && endpoint.method !== "DELETE" && encoding === "json" && endpoint.body === undefined);
  const asSent = ["none", "drop", "extra", "replace"].includes(damage.kind);
  // Round-trips through JSON as sent, since the schema never saw values outside JSON. The protocol
  // library drops a field called __proto__.
  const input = JSON.parse(JSON.stringify({ ...endpointInput(endpoint, fields, door), ...ids })) as Fields;
  if (door === "tool") Reflect.deleteProperty(input, "__proto__");
  const refused = plain && asSent && !endpoint.input.safeParse(input).success;
  return [
    ...(weak ? [`${who} wrote`] : []),
    ...(refused ? ["took what its schema refuses"] : []),
    ...(sendsFile(plan) && plan.file.field !== endpoint.file ? ["took a file in a field that takes none"] : []),
  ];
}

/** True for a request with a file in it. */
export function sendsFile({ endpoint, door, encoding, damage, file }: Plan): boolean {
  const takesBody = endpoint.method !== "GET" && endpoint.method !== "DELETE" && endpoint.body === undefined;
  const asFile = encoding === "file" && ["none", "drop", "extra", "replace", "key", "twice"].includes(damage.kind);
  return door === "rest" && takesBody && asFile && file.times > 0;
}

/** Stands for a target that a tool fills in. */
const ANY_ID = "00000000-0000-7000-8000-000000000001";

/** Fields as the endpoint's input: a tool has its own names, and consumes some arguments itself. */
function endpointInput(endpoint: AnyEndpoint, fields: Fields, door: Plan["door"]): Fields {
  if (door === "rest") return fields;
  const { fields: _columns, cursor: _cursor, limit: _limit, rows_per_page: _size, ...given } = fields;
  const filled = Object.keys(endpoint.input.shape).filter((field) => isFilledTarget(endpoint, field));
  const targets = Object.fromEntries(filled.map((field) => [field, ANY_ID]));
  const { workspace_id: workspace, ...read } = normaliseArguments(endpoint, given);
  const input: Fields = { ...endpoint.toolDefaults, ...targets, ...read };
  if ("workspace_id" in endpoint.input.shape && workspace !== undefined) input["workspace_id"] = workspace;
  if (endpoint.onDemandFields !== undefined) delete input["include"];
  return input;
}
