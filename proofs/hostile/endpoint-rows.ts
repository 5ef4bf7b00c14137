import { endpoints } from "../../tools/index.ts";
import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { addressOf, minimalInput, type Fields } from "../../test/whole/call.ts";
import { ENVELOPE, createMcpRequest } from "./mcp-wire.ts";
import { selectNames, type HostileScene } from "./scene.ts";
import { JSON_BODY_BOUNDS, MAX_FORM_PAIRS } from "../../core/shared/request-bounds.ts";
import { fieldsOf, isList, largestFields, largestValue, manyNames, type JsonSchema } from "./largest-value.ts";
import { ADDRESS_BYTES, BODY_BYTES, manyPairs, repeated, type Row } from "./rows.ts";
import type { RawRequest } from "./send.ts";

// Rows of every REST endpoint and tool, generated from the declarations.

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
/** Leaves room for the other fields of a body. */
const FIELD_BYTES = BODY_BYTES - 30_000;

export function restRows(at: HostileScene): Row[] {
  return endpoints.flatMap((endpoint) => {
    const takesBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
    if (endpoint.body === "lines") return [];
    return takesBody ? bodyRows(at, endpoint) : queryRows(at, endpoint);
  });
}

function bodyRows(at: HostileScene, endpoint: AnyEndpoint): Row[] {
  const { name, method } = endpoint;
  const send = async (headers: Record<string, string>, body: string): Promise<RawRequest> => {
    const ids = await at.idsOf(endpoint);
    const signed = { authorization: await at.authorization(endpoint), ...headers };
    return { method, path: addressOf(endpoint, minimalInput(endpoint, pathIds(endpoint, ids))), headers: signed, body };
  };
  const json = async (more: Fields) => send(JSON_TYPE, JSON.stringify({ ...(await at.exampleOf(endpoint)), ...more }));
  const fields = fieldsOf(endpoint);
  const lists = fields.filter(([, schema]) => isList(schema)).map(([field]) => field);
  const row = (kind: string, what: string, wire: Row["wire"]): Row => ({
    name: `REST ${name}: ${what}`,
    kind,
    wire,
    usual: () => json({}),
    isFile: endpoint.sendsFile !== undefined,
    isToldWithRejection: endpoint.mappedErrorBody !== undefined,
  });
  return [
    ...fields.map(([field, schema], n) =>
      row("REST field", `${field} at its largest`, () => json({ [field]: largestValue(schema, FIELD_BYTES, n) })),
    ),
    row("REST fields", "all fields at their largest", () => json(largestFields(fields, FIELD_BYTES))),
    row("REST unknown", "most unknown fields", () => json(manyNames(FIELD_BYTES))),
    row("REST unknown", "as many unknown fields as are taken", () => json(longNames(JSON_BODY_BOUNDS.maxNames - 50))),
    row("REST unknown form", "as many fields of a form as are taken", () =>
      send(FORM_TYPE, new URLSearchParams(Object.entries(longNames(MAX_FORM_PAIRS))).toString()),
    ),
    row("REST unknown form", "most unknown fields of a form", () => send(FORM_TYPE, manyPairs(BODY_BYTES))),
    row("REST repeated", "an unknown field repeated", () => send(FORM_TYPE, repeated(BODY_BYTES, "a"))),
    ...lists.map((field) =>
      row("REST repeated", `${field} repeated`, () => send(FORM_TYPE, repeated(BODY_BYTES, field))),
    ),
    ...lists.map((field) =>
      row("REST repeated", `${field} repeated as often as is taken`, () =>
        send(FORM_TYPE, repeated(BODY_BYTES, field, "a".repeat(BODY_BYTES / MAX_FORM_PAIRS - field.length))),
      ),
    ),
    row("REST header", "longest Idempotency-Key", () =>
      send({ ...JSON_TYPE, "idempotency-key": "k".repeat(ADDRESS_BYTES - 1000) }, "{}"),
    ),
    row("REST stranger", "most unknown fields without credentials", async () => ({
      ...(await json(manyNames(FIELD_BYTES))),
      headers: JSON_TYPE,
    })),
  ];
}

function queryRows(at: HostileScene, endpoint: AnyEndpoint): Row[] {
  const { name, method } = endpoint;
  const send = async (more: Fields, query = ""): Promise<RawRequest> => {
    const ids = selectNames(endpoint, await at.idsOf(endpoint));
    const address = addressOf(endpoint, { ...minimalInput(endpoint, ids), ...more });
    const path = query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`;
    return { method, path, headers: { authorization: await at.authorization(endpoint) } };
  };
  const fields = fieldsOf(endpoint);
  const usual = () => fullReadRequest(at, endpoint);
  const row = (kind: string, what: string, wire: Row["wire"]): Row => ({
    name: `REST ${name}: ${what}`,
    kind,
    wire,
    usual,
  });
  return [
    ...fields.map(([field, schema], n) =>
      row("REST filter", `${field} at its largest`, () => send({ [field]: largestAddressValue(schema, n) })),
    ),
    row("REST filter", "all fields at their largest", () =>
      send(
        Object.fromEntries(fields.map(([field, schema], n) => [field, largestAddressValue(schema, n, fields.length)])),
      ),
    ),
    ...fields
      .filter(([, schema]) => isList(schema))
      .map(([field]) => row("REST filter", `${field} repeated`, () => send({}, repeated(ADDRESS_BYTES - 1500, field)))),
    row("REST unknown query", "most unknown parameters", () => send({}, manyPairs(ADDRESS_BYTES - 1500))),
    row("REST unknown query", "an unknown parameter repeated", () => send({}, repeated(ADDRESS_BYTES - 1500, "a"))),
  ];
}

/** Unknown field names that fill a body. */
function longNames(count: number): Record<string, string> {
  const length = Math.floor(FIELD_BYTES / count) - 20;
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${"n".repeat(length)}${at}`, "1"]));
}

/** A value that fits into an address percent-encoded, next to the other fields. */
function largestAddressValue(schema: JsonSchema, at: number, fields = 1): unknown {
  for (let bytes = ADDRESS_BYTES; bytes > 10; bytes = Math.floor(bytes * 0.7)) {
    const value = largestValue(schema, bytes, at);
    const texts = Array.isArray(value) ? value : [value];
    const length = texts.reduce((sum: number, one) => sum + encodeURIComponent(String(one)).length + 30, 0);
    if (length < (ADDRESS_BYTES - 2000) / fields) return value;
  }
  return "a";
}

/** A REST read with its largest page and no filter. */
async function fullReadRequest(at: HostileScene, endpoint: AnyEndpoint): Promise<RawRequest> {
  const ids = selectNames(endpoint, await at.idsOf(endpoint));
  const path = addressOf(endpoint, { ...minimalInput(endpoint, ids), ...largestPage(fieldsOf(endpoint)) });
  return { method: "GET", path, headers: { authorization: await at.authorization(endpoint) } };
}

function largestPage(fields: readonly [string, JsonSchema][]): Fields {
  const sizes = fields.filter(([field]) => field === "limit" || field === "rows_per_page");
  return Object.fromEntries(sizes.map(([field, schema]) => [field, largestValue(schema, 10, 0)]));
}

function pathIds(endpoint: AnyEndpoint, ids: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ids).flatMap(([key, id]) => (endpoint.path.includes(`:${key}`) ? [[key, String(id)]] : [])),
  );
}

export function toolRows(at: HostileScene): Row[] {
  return endpoints.filter(({ notATool }) => notATool === undefined).flatMap((endpoint) => rowsOfTool(at, endpoint));
}

function rowsOfTool(at: HostileScene, endpoint: AnyEndpoint): Row[] {
  const name = toToolName(endpoint);
  const fields = fieldsOf(endpoint);
  const call = async (more: Fields): Promise<RawRequest> => {
    const ids = selectNames(endpoint, await at.idsOf(endpoint));
    const given = { ...minimalInput(endpoint, ids), ...(await at.exampleOf(endpoint)), ...more };
    const params = { name, arguments: given, _meta: ENVELOPE };
    return createMcpRequest(at.toolToken(), { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  };
  // A tool limits by default a read that REST returns in full.
  const usual = () => (endpoint.method === "GET" ? fullReadRequest(at, endpoint) : call({}));
  const row = (kind: string, what: string, wire: Row["wire"]): Row => ({
    name: `tool ${name}: ${what}`,
    kind,
    wire,
    usual,
  });
  return [
    ...fields.map(([field, schema], n) =>
      row("tool field", `${field} at its largest`, () => call({ [field]: largestValue(schema, FIELD_BYTES, n) })),
    ),
    row("tool fields", "all fields at their largest", () => call(largestFields(fields, FIELD_BYTES))),
    row("tool unknown", "most unknown arguments", () => call(manyNames(FIELD_BYTES))),
    row("tool unknown", "64 unknown arguments of 10,000 characters", () =>
      call(Object.fromEntries(Array.from({ length: 64 }, (_, n) => ["a".repeat(10_000) + String(n), 1]))),
    ),
    row("tool ids", "longest ids", () =>
      call(Object.fromEntries(Object.keys(endpoint.input.shape).map((key) => [key, "a".repeat(10_000)]))),
    ),
  ];
}
