import type { z } from "zod";
import type { Access } from "../auth/authorise.ts";
import type { Caller } from "../auth/caller.ts";
import type { RestTokens } from "../auth/oauth/rest-tokens.ts";
import type { ScimTokens } from "../auth/sso/scim-tokens.ts";
import type { ExportLinks } from "../auth/keys/export-links.ts";
import type { Secrets } from "../auth/keys/secrets.ts";
import type { Catalogs } from "../db/catalog/catalogs.ts";
import type { Db, Tenant } from "../db/engine/store.ts";
import type { TenantStore } from "../db/engine/tenant-store.ts";
import type { AppError, ErrorCode } from "../core/shared/errors.ts";
import type { Outside } from "../core/shared/outside.ts";
import type { AssetScorer } from "../core/assets/scorer.ts";
import type { SourceAdapters } from "../core/sources/adapters.ts";
import type { KeywordPrices } from "../core/analyses/keyword-figures.ts";
import type { PriceTable } from "../core/credits/prices.ts";
import { SCOPES, type Scope } from "../core/identity/roles.ts";
import type { ImportLimits } from "../core/analyses/imports.ts";
import type { Instant } from "../core/shared/time.ts";

/** Groups of interface.md section 1, in reference order. */
export const GROUPS = [
  "Auth",
  "SSO",
  "Organizations",
  "Members",
  "Workspaces",
  "Brand Catalog",
  "Personas",
  "Tags",
  "Analyses",
  "GEO Audits",
  "Metrics",
  "Search Metrics",
  "Assets",
  "Asset Evaluations",
  "Recommended Actions",
  "Recommended Action Brief",
  "Content Briefs",
  "Platform Integrations",
] as const;

/** How a person confirmed an operation that spends credits. */
export type Confirmation = "none" | "argument" | "elicited" | "browser";

/** Facts about the configured scorer that a person sees before paying. */
export type ScorerOffer = Pick<AssetScorer, "name" | "judges" | "isPaid">;

/** Audit log that records a call. */
export interface AuditedPlace {
  organizationId: string | null;
  workspaceId: string | null;
}

export interface Context {
  db: Db;
  /** All endpoints; the audit log resolves the names of its entries with them. */
  endpoints: readonly AnyEndpoint[];
  /** Null for a public endpoint called without a token. */
  caller: Caller | null;
  /** Ids that the caller may access; empty strings if the access class has none. */
  tenant: { db: Db; organizationId: string; workspaceId: string };
  userId: string;
  now: Instant;
  newId: () => string;
  /** Public base URL of the REST API and the pages. */
  baseUrl: string;
  prices: PriceTable;
  importLimits: ImportLimits;
  adapters: SourceAdapters;
  keywordPrices: KeywordPrices;
  /** Brand catalogs that answers are extracted with. */
  catalogs: Catalogs;
  restTokens: RestTokens;
  scimTokens: ScimTokens;
  sealer: Pick<Secrets, "seal">;
  exportLinks: Pick<ExportLinks, "urlOf">;
  hasPartner: boolean;
  scorer: ScorerOffer;
  confirmation: Confirmation;
  /** Sets the cost of this call in its audit row, in credits. */
  recordCost: (credits: number) => void;
  /** Sets the audit log of this call if the call names no organization. */
  recordPlace: (place: AuditedPlace) => void;
}

/**
 * Work outside the store between two transactions of a call. `handle` returns it after all checks,
 * without writes; it is stored in that transaction and survives a crash. Entries of one subject run
 * one at a time.
 */
export class OutboxEntry {
  readonly subjectId: string;
  /** Input of `perform`, as plain JSON. */
  readonly plan: Record<string, unknown>;

  constructor(subjectId: string, plan: Record<string, unknown>) {
    this.subjectId = subjectId;
    this.plan = plan;
  }
}

/** Returned by `handle` after it queues a job that does the work. */
export class Queued {
  readonly body: Record<string, unknown>;

  constructor(body: Record<string, unknown>) {
    this.body = body;
  }
}

/** How a call answers when a job does its work. */
export interface AsJob<Body extends z.ZodObject, O extends z.ZodType> {
  /** Body of the 202 response, for a slow job or a client that does not wait. */
  queued: Body;
  /**
   * Result of the call once the job completes, undefined before, null if no call waits for it.
   * Polled outside the call's transaction, also for repeats under the same Idempotency-Key.
   */
  ended(queued: z.output<Body>, tenant: Tenant): Promise<z.input<O> | undefined | null>;
  /** Max wait; 30 seconds by default. */
  waitMs?: number;
}

export interface SentFile {
  sha256: string;
  sizeBytes: number;
  name: string;
  mediaType: string;
}

export interface PerformContext extends Outside {
  /** Stable across repeats of the same entry. */
  entryId: string;
  /** Read before calling an external system, and close the snapshot first. */
  store: Pick<TenantStore, "read" | "workspaceId">;
  secrets: Pick<Secrets, "unseal">;
}

/**
 * Completes an outbox entry in the second transaction. Returning an AppError, unlike throwing it,
 * commits the writes.
 */
export type Conclude<Output> = (context: Context) => Promise<Output | AppError>;

export interface RefusalBody {
  /** Schema name in the API reference. */
  id: string;
  details: z.ZodObject;
  codes: readonly ErrorCode[];
}

export interface Presentation {
  /** Setup, cost and resulting balance as plain text. */
  message: string;
  credits: number;
  /** Path of the approval page; null if confirming in the conversation suffices. */
  approvalPath: string | null;
}

interface Declaration<I extends z.ZodObject, O extends z.ZodType> {
  /** camelCase. Its snake_case is the operationId and tool name; its kebab-case is the file name. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Express path; its parameters are keys of `input`. */
  path: `/${string}`;
  /** Success status; 200 by default. */
  status?: 200 | 201 | 202;
  group: (typeof GROUPS)[number];
  summary: string;
  /**
   * Audit log text of a successful call, with input or output fields in braces: `Created key
   * {name}`. Ids are replaced by the names before the call. Never use a secret. Reads have none.
   */
  logged?: string;
  /** The first sentence says when to use the endpoint. */
  description: string;
  access: Access;
  /** Console page of this data, in the syntax of `path`. */
  page?: `/${string}`;
  /**
   * Requires a sign-in within the last minutes, always or if the function returns true. Protects
   * calls that grant lasting access from key tokens and unattended browsers.
   */
  recentSignIn?: true | ((input: z.output<I>, caller: Caller) => boolean);
  /** OAuth scope; `read` by default. */
  scope?: Scope;
  /**
   * Reason why this endpoint is no tool. By default reads are tools, and writes are if they declare
   * a scope.
   */
  notATool?: string;
  /**
   * One flat object. Keys in the path are path parameters; the others form the query (GET, DELETE)
   * or the body.
   */
  input: I;
  /** Defaults for tools that differ from REST. */
  toolDefaults?: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** Default columns of a list in a tool; by default all non-empty columns. */
  toolColumns?: readonly string[];
  /** Max characters per column in a tool call that names no columns. */
  toolExcerpts?: Readonly<Record<string, number>>;
  /** Large, rarely needed fields that a tool returns only on request. */
  onRequest?: readonly string[];
  /** Response fields that tools omit: secrets must not stay in a transcript. */
  notInTools?: readonly string[];
  /** Response body. Undeclared fields are removed. */
  output: O;
  errors?: readonly ErrorCode[];
  /**
   * `lines`: the whole JSON Lines body is stored before `handle` runs; the input field `lines`
   * refers to it.
   */
  body?: "lines";
  /** Input field for a multipart/form-data file, stored before `handle` runs. */
  file?: string;
  /**
   * Throws errors of `handle` that do not depend on the file, before an upload is read. Called only
   * with valid path parameters.
   */
  admitFile?(context: Context, path: Record<string, string>): Promise<void>;
  /** True for a write that an archived workspace accepts, because it leaves the contents unchanged. */
  takenWhenArchived?: boolean;
  /** True if success changes nothing, such as a price. Still runs in a transaction. */
  safe?: boolean;
  /**
   * Reads only: true if the work would delay other calls. The worker process then runs it, on a
   * later snapshot than the access check.
   */
  isHeavy?(input: z.output<I>, context: Context): boolean | Promise<boolean>;
  /**
   * Reads with `wait` only: true once the result is stable. Polled on new snapshots until then or
   * until the wait expires.
   */
  isSettled?(output: z.input<O>): boolean;
  handle(input: z.output<I>, context: Context): Promise<z.input<O> | OutboxEntry | Queued>;
  /**
   * For a REST response that is a stored file instead of JSON: the file and its possible media
   * types.
   */
  sendsFile?: { mediaTypes: readonly string[]; of(answer: z.output<O>): SentFile };
  /** Required if `handle` returns `Queued`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the body type is known at the declaration, as for `handle`
  job?: AsJob<any, O>;
  /**
   * External work of an outbox entry. Must be idempotent: it can run repeatedly, also in two
   * processes at once; the other system detects repeats by the entry id.
   */
  perform?(plan: unknown, context: PerformContext): Promise<Conclude<z.input<O>>>;
  /**
   * Maps errors with status 400, 409, 422, 502 or 503 that lack details. `path` is undefined if its
   * parameters are no valid ids.
   */
  refuse?(refusal: AppError, path: Record<string, string> | undefined, context: Context): Promise<AppError>;
  /** Body schema of errors with extra fields. */
  refusals?: RefusalBody;
  /** Removes secrets before the response is stored for repeats of its Idempotency-Key. */
  withoutSecrets?(answer: z.output<O>): z.output<O>;
  /** Confirmation text for a creation that spends credits. Throws the errors of `handle`. */
  present?(input: z.output<I>, context: Context): Promise<Presentation>;
  /** Records that the person declined, so that the quote can no longer be used. */
  decline?(input: z.output<I>, context: Context): Promise<void>;
}

export type Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Declaration<I, O>;

/** An endpoint with unknown schemas. */
// oxlint-disable-next-line typescript/no-explicit-any -- `handle` is contravariant; only invoke() calls it, with parsed input
export type AnyEndpoint = Endpoint<any, any>;

/**
 * Declares an endpoint. Its route, tool, OpenAPI operation, role check and audit row derive from
 * it; `npm run generate` adds it to tools/every-endpoint.ts.
 */
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(declaration: Declaration<I, O>): Endpoint<I, O> {
  const isMarked = declaration.method === "GET" || declaration.scope !== undefined;
  return isMarked ? declaration : { notATool: "write endpoint not marked for agents", ...declaration };
}

/** Declares a call of the console alone, for its role check and audit row: no route and no tool. */
export function consoleOnly<I extends z.ZodObject, O extends z.ZodType>(
  declaration: Declaration<I, O>,
): Endpoint<I, O> {
  return declaration;
}

export function reads(of: AnyEndpoint): boolean {
  return of.method === "GET";
}

export function scopeOf(of: AnyEndpoint): Scope {
  return of.scope ?? "read";
}

/** Scopes needed to use every tool among these endpoints, in the order of SCOPES. */
export function toolScopes(among: readonly AnyEndpoint[]): Scope[] {
  const needed = new Set(among.filter((one) => one.notATool === undefined).map(scopeOf));
  return (Object.keys(SCOPES) as Scope[]).filter((scope) => needed.has(scope));
}

/** `createSearchAnalysis` to `create_search_analysis`. */
export function toolName(of: AnyEndpoint): string {
  return of.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
