import type { AnyEndpoint, DetailedErrorBody } from "../../../tools/endpoint.ts";
import { listNamedFields } from "../../../tools/name-or-id.ts";
import { STATUS_BY_CODE, type ErrorCode } from "../../../core/shared/errors.ts";

type Json = Record<string, unknown>;

// Safe: STATUS_BY_CODE has exactly the codes as keys.
const ERROR_CODES = Object.keys(STATUS_BY_CODE) as ErrorCode[];

/** Includes the errors implied by the endpoint's access and method. */
export function listErrorCodes(endpoint: AnyEndpoint): Set<ErrorCode> {
  const codes = new Set<ErrorCode>([...COMMON_CODES, ...(endpoint.errors ?? [])]);
  if (endpoint.recentSignIn !== undefined) codes.add("FORBIDDEN");
  if (typeof endpoint.access === "object") codes.add("FORBIDDEN").add("NOT_FOUND");
  if (changesWorkspace(endpoint)) codes.add("CONFLICT");
  if (listNamedFields(endpoint.input).length > 0) codes.add("AMBIGUOUS");
  if (endpoint.method !== "GET") codes.add("STORAGE_FULL");
  if (endpoint.method !== "GET" && endpoint.method !== "DELETE") {
    codes.add("REQUEST_TIMEOUT").add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  }
  if (endpoint.method === "POST" && endpoint.access !== "public") codes.add("IDEMPOTENCY_MISMATCH");
  return codes;
}

/** True for a change in a workspace, which an archived workspace rejects. */
function changesWorkspace({ access, method }: AnyEndpoint): boolean {
  return method !== "GET" && typeof access === "object" && "workspace" in access;
}

// An invalid token is rejected even if no token is required.
const COMMON_CODES: readonly ErrorCode[] = [
  "VALIDATION_FAILED",
  "UNAUTHENTICATED",
  "RATE_LIMITED",
  "INTERNAL",
  "UNAVAILABLE",
];

/** Adds a schema per code, so that generated clients have a type for each. */
export function buildErrorResponses(endpoint: AnyEndpoint, schemas: Json): Record<string, Json> {
  const declared = listErrorCodes(endpoint);
  const codes = ERROR_CODES.filter((code) => declared.has(code));
  const special = new Set<ErrorCode>(endpoint.mappedErrorBody?.codes);
  for (const code of codes.filter((one) => !special.has(one)))
    schemas[toErrorName(code)] = buildCodesSchema("Error", [code]);
  const statuses = [...new Set(codes.map((code) => STATUS_BY_CODE[code]))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => STATUS_BY_CODE[code] === status);
      return [String(status), buildErrorResponse(status, here, endpoint.mappedErrorBody)];
    }),
  );
}

function buildErrorResponse(status: number, codes: readonly ErrorCode[], special: DetailedErrorBody | undefined): Json {
  const ours = codes.filter((code) => special?.codes.includes(code));
  const bodies = [
    ...(special && ours.length > 0 ? [buildCodesSchema(special.id, ours)] : []),
    ...codes
      .filter((code) => !ours.includes(code))
      .map((code) => ({ $ref: `#/components/schemas/${toErrorName(code)}` })),
  ];
  const schema = bodies.length === 1 ? bodies[0] : { anyOf: bodies };
  return {
    description: codes.map((code) => `${code}: ${CODE_DESCRIPTIONS[code]}`).join("; "),
    headers: {
      ...REQUEST_ID_HEADER,
      ...Object.fromEntries((HEADERS_BY_STATUS[status] ?? []).map(buildHeaderReference)),
    },
    content: { "application/json": { schema } },
  };
}

function buildCodesSchema(id: string, codes: readonly ErrorCode[]): Json {
  const [only, ...more] = codes;
  const code = more.length === 0 ? { const: only } : { enum: codes };
  const here = { type: "object", properties: { code: { type: "string", ...code } }, required: ["code"] };
  return { allOf: [{ $ref: `#/components/schemas/${id}` }, here] };
}

/** Schema name of an error code: `NotFoundError` for `NOT_FOUND`. The word Error occurs once. */
function toErrorName(code: ErrorCode): string {
  const words = code.split("_").map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`);
  return `${words.join("").replace(/Error$/, "")}Error`;
}

/** Schema of errors with extra fields; `details` are the JSON Schemas of these fields. */
export function buildDetailedErrorSchema({ codes }: DetailedErrorBody, details: Json): Json {
  const { properties, required } = ERROR_SCHEMA;
  return {
    type: "object",
    properties: { ...details, ...properties, code: { ...properties.code, enum: codes } },
    required: [...Object.keys(details), ...required],
  };
}

const CODE_DESCRIPTIONS: Record<ErrorCode, string> = {
  VALIDATION_FAILED: "a field or the body is invalid; `fields` lists the errors",
  UNAUTHENTICATED: "the credentials are missing, invalid or expired",
  INSUFFICIENT_CREDITS: "the balance or the monthly cap is too small",
  FORBIDDEN: "the role, key or scope does not permit this, or the sign-in is too old",
  NOT_FOUND: "the resource does not exist or is not visible to you",
  METHOD_NOT_ALLOWED: "the path does not support this method; the Allow header lists the supported ones",
  CONFLICT: "the request conflicts with existing data",
  AMBIGUOUS: "a name matches several resources; `fields` lists the allowed values",
  IDEMPOTENCY_MISMATCH: "the Idempotency-Key was used with another body",
  QUOTE_EXPIRED: "the quote is older than 15 minutes",
  QUOTE_USED: "the quote was used or declined",
  QUOTE_FOREIGN: "the quote was made for another person or request",
  PRICE_CHANGED: "the price changed since it was shown",
  APPROVAL_REQUIRED: "a person must approve in the browser first",
  NOT_CONFIRMED: "the person did not confirm",
  QUOTA_EXCEEDED: "the quota of the plan is used up",
  PRECONDITION_FAILED: "the resource changed since the version in If-Match",
  PAYLOAD_TOO_LARGE: "the body is too large",
  REQUEST_TIMEOUT: "the body arrives too slowly",
  UNSUPPORTED_MEDIA_TYPE: "the type or encoding of the body is not accepted",
  UNPROCESSABLE: "the request is valid but not possible in the current state",
  RATE_LIMITED: "too many requests",
  INTERNAL: "internal error of the service",
  NOT_IMPLEMENTED: "the service does not support this",
  UNAVAILABLE: "the service is busy; try again",
  STORAGE_FULL: "the service is out of storage",
  DUE_DATE_IN_PAST: "the due date is in the past",
  ALREADY_SENT: "the brief was already sent",
  BRIEF_NOT_READY: "the brief is still being written",
  PARTNER_NOT_CONNECTED: "the workspace is not connected to the partner",
  PARTNER_RECIPIENTS_NOT_CONFIGURED: "no recipients are configured at the partner",
  PARTNER_RECIPIENTS_INVALID: "the partner does not accept the recipients",
  BRIEF_CONTENT_TOO_LONG: "the brief exceeds the partner's maximum length",
  PARTNER_VALIDATION_ERROR: "the partner rejected the brief",
  PARTNER_ERROR: "the partner returned an unexpected response",
  PARTNER_UNAVAILABLE: "the partner cannot be reached; try again",
  WORKSPACE_UNAVAILABLE: "the workspace lookup is unavailable; try again",
};

export const RESPONSE_HEADERS: Json = {
  "X-Request-Id": { description: "Id of the request in logs and error bodies.", schema: { type: "string" } },
  "WWW-Authenticate": { description: "How to authenticate (RFC 6750).", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait before the next request.", schema: { type: "integer", minimum: 0 } },
  RateLimit: {
    description: "Requests left in each limit (r) and seconds until it resets (t), on every response.",
    schema: { type: "string" },
    example: '"address";r=5999;t=60, "key";r=1199;t=60, "account";r=2399;t=60',
  },
  "RateLimit-Policy": {
    description: "Each limit: requests (q) per window in seconds (w), on every response.",
    schema: { type: "string" },
    example: '"address";q=6000;w=60, "key";q=1200;w=60, "account";q=2400;w=60',
  },
};

const HEADERS_BY_STATUS: Record<number, readonly string[]> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};

function buildHeaderReference(name: string): [string, Json] {
  return [name, { $ref: `#/components/headers/${name}` }];
}

export const REQUEST_ID_HEADER: Json = Object.fromEntries([buildHeaderReference("X-Request-Id")]);

const ERROR_SCHEMA = {
  type: "object",
  properties: {
    code: { type: "string", enum: ERROR_CODES, description: "Stable error code." },
    message: { type: "string", description: "Message for people, with the remedy." },
    fields: {
      type: "array",
      description: "Invalid fields of a VALIDATION_FAILED or AMBIGUOUS request.",
      items: { $ref: "#/components/schemas/FieldError" },
    },
    sign_in_url: { type: "string", description: "Address to sign in again, if the sign-in is too old." },
    request_id: { type: "string", description: "The X-Request-Id of the response." },
  },
  required: ["code", "message", "request_id"],
};

export const ERROR_SCHEMAS: Json = {
  Error: ERROR_SCHEMA,
  FieldError: {
    type: "object",
    properties: {
      path: { type: "string" },
      message: { type: "string" },
      allowed: {
        type: "array",
        items: { type: "string" },
        description: "Allowed values: all of a closed list, otherwise the 20 most similar names.",
      },
      allowed_count: { type: "integer", description: "Total number of allowed values." },
    },
    required: ["path", "message"],
  },
};
