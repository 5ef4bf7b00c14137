import { formatInteger } from "./format-count.ts";
import {
  MAX_COUNTED_ISSUES,
  MAX_ERROR_FIELD_BYTES,
  MAX_ERROR_FIELDS,
  MAX_ERROR_FIELDS_BYTES,
  MAX_PATH_PARTS,
} from "./request-bounds.ts";

/** Closed list of error codes with their HTTP status. */
export const STATUS_BY_CODE = {
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

export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** An invalid input field: `path` such as `thematics.0.name`, `message` for users. */
export interface FieldError {
  path: string;
  message: string;
  /** Allowed values that fit: the whole closed list, or the nearest names visible to the caller. */
  allowed?: string[];
  allowed_count?: number;
}

/**
 * The only error class of the product. `message` is for users, names the remedy, and never quotes
 * input or stored text; `cause` is only logged.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Invalid fields, bounded in number and size. */
  readonly fields: FieldError[] | undefined;
  /** Part of the message that says how many fields are not listed; undefined if all are. */
  readonly unlisted: string | undefined;
  /** Earlier writes of the transaction commit, such as revoking a stolen token's family. */
  readonly keepsWrites: boolean;
  /** Kind of thing that was not found. */
  readonly subject: string | undefined;
  /** No access to the organization at all; audit logs count such denials without listing them. */
  readonly isFromOutsider: boolean;
  /** Additional response fields, such as the unsent brief. */
  declare readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      fields?: FieldError[] | undefined;
      /** Total number of invalid fields if `fields` is incomplete. */
      fieldCount?: number;
      cause?: unknown;
      keepsWrites?: boolean;
      subject?: string | undefined;
      isFromOutsider?: boolean;
      details?: Record<string, unknown> | undefined;
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    const fields = options.fields && selectListedFields(options.fields);
    const unlisted = describeUnlisted(fields?.length ?? 0, options.fieldCount ?? options.fields?.length ?? 0);
    super(
      unlisted === undefined ? message : `${message} ${unlisted}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "AppError";
    this.code = code;
    this.isFromOutsider = options.isFromOutsider ?? false;
    this.fields = fields;
    this.unlisted = unlisted;
    this.keepsWrites = options.keepsWrites ?? false;
    this.subject = options.subject;
    // Not enumerable, so that logs omit it: it may contain customer data.
    Object.defineProperty(this, "details", { value: options.details, enumerable: false });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return STATUS_BY_CODE[this.code];
  }
}

/** NOT_FOUND for missing and inaccessible things alike, so that callers cannot distinguish them. */
export function notFound(what: string): AppError {
  return new AppError("NOT_FOUND", `No such ${what}, or it is not visible to you.`, { subject: what });
}

/** Returns the value, or throws NOT_FOUND if absent. */
export function requireFound<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw notFound(what);
  return value;
}

/** VALIDATION_FAILED for these fields, the first of `fieldCount`. */
export function invalidInput(wrong: FieldError[], fieldCount = wrong.length): AppError {
  const fields = wrong.slice(0, MAX_ERROR_FIELDS).map(({ path, ...field }) => ({ path: toSafePath(path), ...field }));
  const named = [...new Set(fields.map((field) => field.path).filter(Boolean))].slice(0, 5).join(", ");
  const message = named === "" ? "The request is not valid." : `The request is not valid. Correct: ${named}.`;
  return new AppError("VALIDATION_FAILED", message, { fields, fieldCount });
}

/** Without input: a body of the wrong type can turn a key or password into a field name. */
function toSafePath(path: string): string {
  const parts = path.split(".", MAX_PATH_PARTS);
  return parts.map((part) => (part === "" || /^[\w-]{1,26}$/.test(part) ? part : "(a field name)")).join(".");
}

/** First fields that fit into an error body. */
function selectListedFields(all: readonly FieldError[]): FieldError[] {
  const listed: FieldError[] = [];
  let bytes = 0;
  for (const field of all.slice(0, MAX_ERROR_FIELDS)) {
    const fitting = limitAllowedValues(field, Math.min(MAX_ERROR_FIELD_BYTES, MAX_ERROR_FIELDS_BYTES - bytes));
    bytes += countJsonBytes(fitting);
    if (bytes > MAX_ERROR_FIELDS_BYTES) break;
    listed.push(fitting);
  }
  return listed;
}

/** Shortens allowed values to `maxBytes`; `allowed_count` stays complete. */
function limitAllowedValues({ allowed, ...field }: FieldError, maxBytes: number): FieldError {
  if (!allowed) return field;
  let bytes = countJsonBytes({ ...field, allowed: [] });
  const end = allowed.findIndex((value) => (bytes += countJsonBytes(value) + 1) > maxBytes);
  return { ...field, allowed: end === -1 ? allowed : allowed.slice(0, end) };
}

function countJsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function describeUnlisted(listed: number, fieldCount: number): string | undefined {
  if (fieldCount <= listed) return undefined;
  const all = fieldCount === Infinity ? `more than ${formatInteger(MAX_COUNTED_ISSUES)}` : formatInteger(fieldCount);
  return `${formatInteger(listed)} of ${all} fields are listed.`;
}
