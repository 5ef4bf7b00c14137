import { count } from "./counts.ts";
import {
  MAX_COUNTED_ISSUES,
  MAX_ERROR_FIELD_BYTES,
  MAX_ERROR_FIELDS,
  MAX_ERROR_FIELDS_BYTES,
  MAX_PATH_PARTS,
} from "./request-bounds.ts";

/** Every error code that the service answers with, and the HTTP status that goes with it. The list is closed. */
export const STATUS = {
  VALIDATION_FAILED: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  AMBIGUOUS: 409,
  IDEMPOTENCY_MISMATCH: 409,
  QUOTE_EXPIRED: 409,
  QUOTE_USED: 409,
  QUOTE_FOREIGN: 409,
  PRICE_CHANGED: 409,
  APPROVAL_REQUIRED: 409,
  NOT_CONFIRMED: 409,
  QUOTA_EXCEEDED: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  NOT_IMPLEMENTED: 501,
  UNAVAILABLE: 503,
  STORAGE_FULL: 507,
  // Sending a brief to the partner (interface.md section 7).
  DUE_DATE_IN_PAST: 400,
  ALREADY_SENT: 409,
  BRIEF_NOT_READY: 409,
  PARTNER_NOT_CONNECTED: 409,
  PARTNER_RECIPIENTS_NOT_CONFIGURED: 409,
  PARTNER_RECIPIENTS_INVALID: 409,
  BRIEF_CONTENT_TOO_LONG: 422,
  PARTNER_VALIDATION_ERROR: 422,
  PARTNER_ERROR: 502,
  PARTNER_UNAVAILABLE: 503,
  WORKSPACE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** One wrong input field: `path` as `thematics.0.name`, `message` for people. */
export interface FieldError {
  path: string;
  message: string;
  /** Values that can be given instead, as far as they fit: a whole closed list, or the nearest names that the caller may read. */
  allowed?: string[];
  /** How many values there are in all. */
  allowed_count?: number;
}

/**
 * The one error class of the product. `message` is written for people, says what to do, and never quotes input or
 * stored text; `cause` goes to the log alone.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Bounded in number and size, whatever was sent. */
  readonly fields: FieldError[] | undefined;
  /** Says how many fields are not listed; undefined if all are. Part of the message. */
  readonly unlisted: string | undefined;
  /** True if what was written before the refusal must stand, such as the end of a stolen token's family. */
  readonly keepWrites: boolean;
  /** The kind of thing that was not found. */
  readonly subject: string | undefined;
  /** True where the caller has no part in what they named: an audit log counts such refusals and does not list them. */
  readonly isOfStranger: boolean;
  /** What the body carries besides, such as the brief that could not be sent. */
  declare readonly details: Record<string, unknown> | undefined;
  /** After which wait another try makes sense, for `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      fields?: FieldError[] | undefined;
      /** Of all invalid fields, where `fields` has only some of them. */
      fieldCount?: number;
      cause?: unknown;
      keepWrites?: boolean;
      subject?: string | undefined;
      isOfStranger?: boolean;
      details?: Record<string, unknown> | undefined;
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    const fields = options.fields && listedFields(options.fields);
    const unlisted = unlistedSentence(fields?.length ?? 0, options.fieldCount ?? options.fields?.length ?? 0);
    super(
      unlisted === undefined ? message : `${message} ${unlisted}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "AppError";
    this.code = code;
    this.isOfStranger = options.isOfStranger ?? false;
    this.fields = fields;
    this.unlisted = unlisted;
    this.keepWrites = options.keepWrites ?? false;
    this.subject = options.subject;
    // A log shows what can be enumerated. What a body carries is the customer's.
    Object.defineProperty(this, "details", { value: options.details, enumerable: false });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** NOT_FOUND, both for what does not exist and for what the caller cannot access, so that they cannot be told apart. */
export function notFound(what: string): AppError {
  return new AppError("NOT_FOUND", `No such ${what}, or it is not visible to you.`, { subject: what });
}

/** The value; NOT_FOUND where there is none. */
export function found<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw notFound(what);
  return value;
}

/** VALIDATION_FAILED for these fields, which may be the first of `fieldCount`. */
export function invalidInput(wrong: FieldError[], fieldCount = wrong.length): AppError {
  const fields = wrong.slice(0, MAX_ERROR_FIELDS).map(({ path, ...field }) => ({ path: safePath(path), ...field }));
  const named = [...new Set(fields.map((field) => field.path).filter(Boolean))].slice(0, 5).join(", ");
  const message = named === "" ? "The request is not valid." : `The request is not valid. Correct: ${named}.`;
  return new AppError("VALIDATION_FAILED", message, { fields, fieldCount });
}

/**
 * A field's path as an error may say it. A part that no field of ours could be called is input: a body of another type than it
 * says can make a field name of a whole key or password.
 */
function safePath(path: string): string {
  const parts = path.split(".", MAX_PATH_PARTS);
  return parts.map((part) => (part === "" || /^[\w-]{1,26}$/.test(part) ? part : "(a field name)")).join(".");
}

/** The first fields that fit into an error body. */
function listedFields(all: readonly FieldError[]): FieldError[] {
  const listed: FieldError[] = [];
  let bytes = 0;
  for (const field of all.slice(0, MAX_ERROR_FIELDS)) {
    const fitting = withFittingAllowed(field, Math.min(MAX_ERROR_FIELD_BYTES, MAX_ERROR_FIELDS_BYTES - bytes));
    bytes += bytesOf(fitting);
    if (bytes > MAX_ERROR_FIELDS_BYTES) break;
    listed.push(fitting);
  }
  return listed;
}

/** The field with as many allowed values as fit; `allowed_count` still says how many there are. */
function withFittingAllowed({ allowed, ...field }: FieldError, maxBytes: number): FieldError {
  if (!allowed) return field;
  let bytes = bytesOf({ ...field, allowed: [] });
  const end = allowed.findIndex((value) => (bytes += bytesOf(value) + 1) > maxBytes);
  return { ...field, allowed: end === -1 ? allowed : allowed.slice(0, end) };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function unlistedSentence(listed: number, fieldCount: number): string | undefined {
  if (fieldCount <= listed) return undefined;
  const all = fieldCount === Infinity ? `more than ${count(MAX_COUNTED_ISSUES)}` : count(fieldCount);
  return `${count(listed)} of ${all} fields are listed.`;
}
