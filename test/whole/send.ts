import { endpoints } from "../../tools/index.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { addressOf, callTool, type Fields } from "./call.ts";
import type { Answer } from "../support/world.ts";
import type { Plan } from "./plan.ts";
import type { World } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

// How a plan becomes a request on the wire.

/** The fields of a plan as sent, after its damage. */
export function damageFields(fields: Fields, { damage }: Plan): Fields {
  const keys = Object.keys(fields);
  const key = "at" in damage ? keys[damage.at % keys.length] : undefined;
  if (damage.kind === "extra") return { ...fields, ...Object.fromEntries([[damage.key, damage.value]]) };
  if (key === undefined) return fields;
  if (damage.kind === "drop") return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
  if (damage.kind === "replace") return { ...fields, [key]: replacedWithin(fields[key], damage.at, damage.value) };
  return fields;
}

/** Puts a value in the place of another, or of something inside it. */
function replacedWithin(value: unknown, at: number, by: unknown): unknown {
  if (typeof value !== "object" || value === null || at % 3 === 0) return by;
  const entries = Object.entries(value);
  const place = entries[at % entries.length];
  if (!place) return by;
  const inside = replacedWithin(place[1], (at * 7) % 31, by);
  if (Array.isArray(value)) return value.map((inner: unknown, index) => (String(index) === place[0] ? inside : inner));
  return { ...value, [place[0]]: inside };
}

/** Removes names of things that the ids identify, unless the plan gives names too. */
export function withoutNames(fields: Fields, plan: Plan, ids: ResourceIds): Fields {
  if (plan.door !== "tool" || plan.givesNames) return fields;
  const words = new Set(Object.keys(ids).map(toToolParameterName));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !words.has(name)));
}

export async function sendTool(w: World, plan: Plan, ids: ResourceIds, fields: Fields, token: string): Promise<Answer> {
  const input = plan.damage.kind === "no-object" ? [fields] : { ...fields, ...ids };
  return callTool(w, `Bearer ${token}`, plan.endpoint, input);
}

export async function sendRest(
  w: World,
  plan: Plan,
  ids: ResourceIds,
  fields: Fields,
  authorization: string,
): Promise<Answer> {
  const { endpoint, damage, idempotencyKey } = plan;
  const headers: Record<string, string> = authorization === "" ? {} : { authorization };
  if (idempotencyKey !== null) headers["idempotency-key"] = `fuzz-${endpoint.name}-${idempotencyKey}`;
  // A header carries bytes; those that no HTTP client sends are removed.
  if (damage.kind === "key")
    headers["idempotency-key"] = Buffer.from(damage.key)
      .toString("latin1")
      .replaceAll(/[^\t\x20-\x7E\x80-\xFF]/g, "")
      .slice(0, 3000);
  const takesBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  const address = addressWith(plan, takesBody ? ids : { ...queryOf(fields), ...ids });
  const method = damage.kind === "method" ? wrongMethod(endpoint) : endpoint.method;
  if (!takesBody || method === "GET") return w.request(method, address, { headers });
  const { body, ...more } = bodyOf(fields, plan);
  return w.request(method, address, { headers: { ...headers, ...more.headers }, body });
}

/** A method that the address does not serve. */
export function wrongMethod({ path }: AnyEndpoint): string {
  const served = endpoints.filter((endpoint) => mayBeOneAddress(endpoint.path, path)).map(({ method }) => method);
  return ["PUT", "PATCH", "DELETE", "POST", "GET"].find((method) => !served.some((one) => one === method)) ?? "TRACE";
}

/** True if a parameter of one path can match the literal of the other. */
function mayBeOneAddress(one: string, other: string): boolean {
  const [a, b] = [one.split("/"), other.split("/")];
  return a.length === b.length && a.every((part, n) => part === b[n] || part.startsWith(":") || b[n]?.startsWith(":"));
}

/** The fields that a query string can carry. */
function queryOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, textsOf(value)]),
  );
}

function textsOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(shortText) : shortText(value);
}

/** Node.js rejects longer addresses before the service receives them. */
function shortText(value: unknown): string {
  return textOf(value).slice(0, 3000);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function addressWith({ endpoint, damage }: Plan, input: Fields): string {
  const address = addressOf(endpoint, input);
  if (damage.kind === "percent") return address.replace(/\/[^/?]*(\?|$)/, "/%E0%A4%A$1");
  if (damage.kind === "twice") return `${address}${address.includes("?") ? "&" : "?"}limit=1&limit=2&text=a&text=b`;
  return address;
}

interface Body {
  body: unknown;
  headers: Record<string, string>;
}

function bodyOf(fields: Fields, { endpoint, damage, encoding, file }: Plan): Body {
  const json = { "content-type": "application/json" };
  if (damage.kind === "broken-json") return { body: '{"name": "a', headers: json };
  if (damage.kind === "no-object") return { body: "[1, 2]", headers: json };
  if (damage.kind === "not-utf8") return { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), headers: json };
  if (damage.kind === "encoding") return { body: "{}", headers: { ...json, "content-encoding": "gzip" } };
  if (endpoint.body === "lines") {
    // No worker reads the file here, so a synchronous call would wait until its timeout.
    const headers = { "content-type": "application/x-ndjson", prefer: "respond-async" };
    return { body: linesOf(fields), headers };
  }
  const text = JSON.stringify(fields);
  if (damage.kind === "type") return { body: text, headers: { "content-type": damage.type } };
  if (encoding === "other") return { body: text, headers: { "content-type": "application/octet-stream" } };
  if (encoding === "json") return { body: text, headers: json };
  const form = encoding === "form" ? new URLSearchParams() : new FormData();
  for (const [key, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(key, one === null ? "" : textOf(one));
  }
  if (form instanceof FormData && encoding === "file") {
    const part = new Blob([new Uint8Array(file.bytes)]);
    for (let time = 0; time < file.times; time++) form.append(file.field, part, file.name);
  }
  return { body: form, headers: {} };
}

function linesOf({ lines = [] }: Fields): string {
  return (Array.isArray(lines) ? lines : [lines]).map((line) => JSON.stringify(line)).join("\n");
}
