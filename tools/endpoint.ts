import type { z } from "zod";
import type { Access } from "../auth/authorise.ts";
import type { Caller } from "../auth/caller.ts";
import type { RestTokens } from "../auth/oauth/rest-tokens.ts";
import type { ScimTokens } from "../auth/sso/scim-tokens.ts";
import type { ExportLinks } from "../auth/keys/export-links.ts";
import type { Secrets } from "../auth/keys/secrets.ts";
import type { CatalogCache } from "../db/catalog/catalogs.ts";
import type { Db, Tenant } from "../db/engine/store.ts";
import type { TenantStore } from "../db/engine/tenant-store.ts";
import type { AppError, ErrorCode } from "../core/shared/errors.ts";
import type { OutsideSystems } from "../core/shared/outside-systems.ts";
import type { AssetScorer } from "../core/assets/scorer.ts";
import type { SourceAdapters } from "../core/sources/adapters.ts";
import type { KeywordDataPrices } from "../core/analyses/keyword-data.ts";
import type { PriceTable } from "../core/credits/prices.ts";
import { SCOPES, type Scope } from "../core/identity/roles.ts";
import type { ImportLimits } from "../core/analyses/imports.ts";
import type { Instant } from "../core/shared/time.ts";
import type { ToolNotes } from "./tool-notes.ts";

/** See interface.md section 1, in reference order. */
export const ENDPOINT_GROUPS = [
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

export type ConfirmationMethod = "none" | "argument" | "elicited" | "browser";

export type ScorerOffer = Pick<AssetScorer, "name" | "judges" | "isPaid">;

export interface AuditTenant {
  organizationId: string | null;
  workspaceId: string | null;
}

export interface Context {
  db: Db;
  endpoints: readonly AnyEndpoint[];
  /** Null for a public endpoint called without a token. */
  caller: Caller | null;
  /** Empty strings if the access class has none. */
  tenant: { db: Db; organizationId: string; workspaceId: string };
  userId: string;
  now: Instant;
  newId: () => string;
  baseUrl: string;
  prices: PriceTable;
  importLimits: ImportLimits;
  adapters: SourceAdapters;
  keywordPrices: KeywordDataPrices;
  catalogs: CatalogCache;
  restTokens: RestTokens;
  scimTokens: ScimTokens;
  sealer: Pick<Secrets, "seal">;
  exportLinks: Pick<ExportLinks, "urlOf">;
  hasPartner: boolean;
  scorer: ScorerOffer;
  confirmation: ConfirmationMethod;
  /** Credits, for the audit row of this call. */
  recordCost: (credits: number) => void;
  /** Sets the audit log of this call if the call names no organization. */
  recordAuditTenant: (place: AuditTenant) => void;
}

/** Work between two transactions of a call. Survives a crash; one at a time per subject. */
export class OutboxEntry {
  readonly subjectId: string;
  readonly plan: Record<string, unknown>;

  constructor(subjectId: string, plan: Record<string, unknown>) {
    this.subjectId = subjectId;
    this.plan = plan;
  }
}

export class Queued {
  readonly body: Record<string, unknown>;

  constructor(body: Record<string, unknown>) {
    this.body = body;
  }
}

export interface JobResponse<Body extends z.ZodObject, O extends z.ZodType> {
  /** Body of the 202 response, for a slow job or a client that does not wait. */
  queued: Body;
  /** Undefined until the job completes; null if no call waits. Polled outside the transaction. */
  findResult(queued: z.output<Body>, tenant: Tenant): Promise<z.input<O> | undefined | null>;
  /** Max wait; 30 seconds by default. */
  waitMs?: number;
}

export interface SentFile {
  sha256: string;
  sizeBytes: number;
  name: string;
  mediaType: string;
}

export interface PerformContext extends OutsideSystems {
  /** Stable across repeats of the entry. */
  entryId: string;
  /** Read before calling an external system, and close the snapshot first. */
  store: Pick<TenantStore, "read" | "workspaceId">;
  secrets: Pick<Secrets, "unseal">;
}

/** A returned AppError, unlike a thrown one, commits the writes. */
export type OutboxConclusion<Output> = (context: Context) => Promise<Output | AppError>;

export interface DetailedErrorBody {
  id: string;
  details: z.ZodObject;
  codes: readonly ErrorCode[];
}

export interface QuotePresentation {
  message: string;
  credits: number;
  /** Null if confirming in the conversation suffices. */
  approvalPath: string | null;
}

interface EndpointDeclaration<I extends z.ZodObject, O extends z.ZodType> extends ToolNotes<z.output<I>, Context> {
  /** Name in camel case. In snake case it is the operationId and tool name, in kebab case the file name. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Express path; its parameters are keys of `input`. */
  path: `/${string}`;
  status?: 200 | 201 | 202;
  group: (typeof ENDPOINT_GROUPS)[number];
  summary: string;
  /** Audit log text with fields in braces: `Created key {name}`. Ids become names. No secrets. */
  logged?: string;
  /** Description for readers and models; its first sentence says when to use the endpoint. */
  description: string;
  access: Access;
  /** Console page of this data, in the syntax of `path`. */
  page?: `/${string}`;
  /** Requires a recent sign-in, always or if true. For calls that grant lasting access. */
  recentSignIn?: true | ((input: z.output<I>, caller: Caller) => boolean);
  /** `read` by default. */
  scope?: Scope;
  /** Reason why this is no tool. By default, reads and writes with a scope are tools. */
  notATool?: string;
  /** Path parameters by name; other keys form the query (GET, DELETE) or the body. */
  input: I;
  /** Defaults for tools that differ from REST. */
  toolDefaults?: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** Columns of rows, or fields of an object; by default all that are not empty. */
  toolColumns?: readonly string[];
  /** Max characters per column in a tool call that names no columns. */
  toolExcerpts?: Readonly<Record<string, number>>;
  /** Large, rarely needed fields. */
  onDemandFields?: readonly string[];
  /** Response fields that tools omit: secrets must not stay in a transcript. */
  notInTools?: readonly string[];
  /** Row fields that tools omit because the request did not select them; REST has their default. */
  unselectedFields?(input: z.output<I>): readonly string[];
  /** Undeclared fields are removed. */
  output: O;
  errors?: readonly ErrorCode[];
  /** `lines`: the JSON Lines body is stored before `handle`; the input field `lines` refers to it. */
  body?: "lines";
  /** Input field for a multipart/form-data file, stored before `handle` runs. */
  file?: string;
  /** Rejects early, before the upload is read. Called only with valid path parameters. */
  admitFile?(context: Context, path: Record<string, string>): Promise<void>;
  /** True for a write that an archived workspace accepts, because it leaves the contents unchanged. */
  isAllowedWhenArchived?: boolean;
  /** True if success changes nothing, such as a price. Still runs in a transaction. */
  isSafe?: boolean;
  /** Reads only: true for slow work, which the worker process runs on a later snapshot. */
  isHeavy?(input: z.output<I>, context: Context): boolean | Promise<boolean>;
  /** Reads with `wait` only: polled on new snapshots until true or until the wait expires. */
  isSettled?(output: z.input<O>): boolean;
  handle(input: z.output<I>, context: Context): Promise<z.input<O> | OutboxEntry | Queued>;
  /** Set if REST returns a stored file instead of JSON. */
  sendsFile?: { mediaTypes: readonly string[]; toSentFile(answer: z.output<O>): SentFile };
  /** Required if `handle` returns `Queued`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the body type is known at the declaration, as for `handle`
  job?: JobResponse<any, O>;
  /** Must be idempotent: may repeat, also concurrently. The other system deduplicates by entry id. */
  perform?(plan: unknown, context: PerformContext): Promise<OutboxConclusion<z.input<O>>>;
  /** Maps errors 400, 409, 422, 502 and 503. `path` is undefined if its ids are invalid. */
  mapError?(refusal: AppError, path: Record<string, string> | undefined, context: Context): Promise<AppError>;
  mappedErrorBody?: DetailedErrorBody;
  /** Removes secrets before the response is stored for repeats of its Idempotency-Key. */
  withoutSecrets?(answer: z.output<O>): z.output<O>;
  /** Throws the errors of `handle`. */
  present?(input: z.output<I>, context: Context): Promise<QuotePresentation>;
  decline?(input: z.output<I>, context: Context): Promise<void>;
}

export type Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = EndpointDeclaration<I, O>;

// oxlint-disable-next-line typescript/no-explicit-any -- `handle` is contravariant; only invoke() calls it, with parsed input
export type AnyEndpoint = Endpoint<any, any>;

/** `npm run generate` adds the endpoint to tools/every-endpoint.ts; everything else derives from it. */
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(
  declaration: EndpointDeclaration<I, O>,
): Endpoint<I, O> {
  const isMarked = declaration.method === "GET" || declaration.scope !== undefined;
  return isMarked ? declaration : { notATool: "write endpoint not marked for agents", ...declaration };
}

/** Declares a call of the console alone, for its role check and audit row: no route and no tool. */
export function consoleEndpoint<I extends z.ZodObject, O extends z.ZodType>(
  declaration: EndpointDeclaration<I, O>,
): Endpoint<I, O> {
  return declaration;
}

export function isReadEndpoint(of: AnyEndpoint): boolean {
  return of.method === "GET";
}

export function getScope(of: AnyEndpoint): Scope {
  return of.scope ?? "read";
}

/** In the order of SCOPES. */
export function listToolScopes(among: readonly AnyEndpoint[]): Scope[] {
  const needed = new Set(among.filter((one) => one.notATool === undefined).map(getScope));
  return (Object.keys(SCOPES) as Scope[]).filter((scope) => needed.has(scope));
}

export function toToolName(of: AnyEndpoint): string {
  return of.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
