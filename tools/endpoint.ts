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

/** The groups of the interface (interface.md section 1), in the order of the reference. */
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

/** How a person confirmed something that spends credits. */
export type Confirmation = "none" | "argument" | "elicited" | "browser";

/** The configured scorer: what a person must know before paying for it. */
export type ScorerOffer = Pick<AssetScorer, "name" | "judges" | "isPaid">;

/** Where in the audit log a call is. */
export interface AuditedPlace {
  organizationId: string | null;
  workspaceId: string | null;
}

export interface Context {
  db: Db;
  /** Every endpoint of the interface: what the audit log names its entries by. */
  endpoints: readonly AnyEndpoint[];
  /** The signed-in person; null for a public endpoint called without a token. */
  caller: Caller | null;
  /** Granted ids: empty strings where the access class of the endpoint has none. */
  tenant: { db: Db; organizationId: string; workspaceId: string };
  userId: string;
  now: Instant;
  newId: () => string;
  /** Public address of the core interface and of the pages. */
  baseUrl: string;
  prices: PriceTable;
  importLimits: ImportLimits;
  adapters: SourceAdapters;
  keywordPrices: KeywordPrices;
  /** What answers are read with. */
  catalogs: Catalogs;
  restTokens: RestTokens;
  scimTokens: ScimTokens;
  sealer: Pick<Secrets, "seal">;
  exportLinks: Pick<ExportLinks, "urlOf">;
  /** True if a partner is configured. */
  hasPartner: boolean;
  scorer: ScorerOffer;
  confirmation: Confirmation;
  /** Sets the cost on the audit row of this call, in credits. */
  recordCost: (credits: number) => void;
  /** Says in whose audit log this call is, where it names no organization itself. */
  recordPlace: (place: AuditedPlace) => void;
}

/**
 * Work outside the store between two transactions of one call. `handle` returns it instead of an answer, after checking
 * everything it can and writing nothing. It is stored in that transaction, so that it is finished even after a crash. One at
 * a time per subject: a second call waits for the first.
 */
export class OutboxEntry {
  readonly subjectId: string;
  /** What `perform` needs, as plain JSON. */
  readonly plan: Record<string, unknown>;

  constructor(subjectId: string, plan: Record<string, unknown>) {
    this.subjectId = subjectId;
    this.plan = plan;
  }
}

/** What a call answers whose work a job does: `handle` returns it after queueing the job. */
export class Queued {
  readonly body: Record<string, unknown>;

  constructor(body: Record<string, unknown>) {
    this.body = body;
  }
}

/** How a call whose work a job does is answered. */
export interface AsJob<Body extends z.ZodObject, O extends z.ZodType> {
  /** The body of 202: where the job takes long, or the client does not want to wait for it. */
  queued: Body;
  /**
   * What the call answers once the job has ended; undefined while it has not, and null where no call waits for it. It is asked
   * again and again, outside the transaction of the call, also for a repeat under the same Idempotency-Key.
   */
  ended(queued: z.output<Body>, tenant: Tenant): Promise<z.input<O> | undefined | null>;
  /** How long the call waits for that at most; 30 seconds unless given. */
  waitMs?: number;
}

export interface SentFile {
  sha256: string;
  sizeBytes: number;
  name: string;
  mediaType: string;
}

/** What `perform` gets. */
export interface PerformContext extends Outside {
  /** The same each time the entry is performed. */
  entryId: string;
  /** What is stored is read before others are asked, and never while they are. */
  store: Pick<TenantStore, "read" | "workspaceId">;
  secrets: Pick<Secrets, "unseal">;
}

/** Concludes an outbox entry in the second transaction: the answer, or a refusal that keeps what was written. */
export type Conclude<Output> = (context: Context) => Promise<Output | AppError>;

/** Extra fields of some error bodies, and the codes that have them. */
export interface RefusalBody {
  /** Name of the schema in the API reference. */
  id: string;
  details: z.ZodObject;
  codes: readonly ErrorCode[];
}

/** What a person must see before confirming a creation that spends credits. */
export interface Presentation {
  /** The whole setup, the cost and the balance after it, in plain text. */
  message: string;
  credits: number;
  /** Path of the page on which a person must approve; null if a yes in the conversation is enough. */
  approvalPath: string | null;
}

interface Declaration<I extends z.ZodObject, O extends z.ZodType> {
  /** In snake_case the operationId and the name of the tool; in kebab-case the name of the file. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Express path; its parameters are keys of `input`. */
  path: `/${string}`;
  /** HTTP status of success; 200 unless given. */
  status?: 200 | 201 | 202;
  group: (typeof GROUPS)[number];
  summary: string;
  /**
   * What the audit log says of a call that succeeded, with fields of the input or the answer in braces: `Created key {name}`. A
   * field that is an id gives the name of what it is of, as it was before the call. None may be a secret. Reads have none.
   */
  logged?: string;
  /** First sentence says when to use it. */
  description: string;
  access: Access;
  /** The console's page for what this shows, in the words of `path`. */
  page?: `/${string}`;
  /**
   * The calls that need a sign-in of the last minutes: all, or those of which this is true. What gives others lasting
   * access, or changes who can get in, is never done by a key's token or a browser that was left open.
   */
  recentSignIn?: true | ((input: z.output<I>, caller: Caller) => boolean);
  /** OAuth scope that an assistant needs; `read` by default. */
  scope?: Scope;
  /** Why this is not an agent tool. Without it a read is a tool, and a write only if it has a scope. */
  notATool?: string;
  /** One flat object: keys named in the path, the rest is the query (GET, DELETE) or the body. */
  input: I;
  /** What a tool asks for where its caller says nothing, unlike REST. */
  toolDefaults?: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** The columns of a list that a tool shows where its call names none; all that say something by default. */
  toolColumns?: readonly string[];
  /** Columns of which a tool shows so many characters where its call names no columns. */
  toolExcerpts?: Readonly<Record<string, number>>;
  /** Fields that are heavy and seldom needed: a tool shows them where its call includes them. */
  onRequest?: readonly string[];
  /** Fields of the answer, or of its rows, that a tool leaves out: secrets, which must not stay in a transcript. */
  notInTools?: readonly string[];
  /** Response body. Fields that it does not declare are removed. */
  output: O;
  errors?: readonly ErrorCode[];
  /** `lines` stores the whole body, JSON Lines, before `handle` is called; the input field `lines` says where. */
  body?: "lines";
  /** The input field that takes a file, sent as multipart/form-data and stored before `handle` is called. */
  file?: string;
  /** Throws, before a file or lines are read, what `handle` would throw for any. Called only with valid path parameters. */
  admitFile?(context: Context, path: Record<string, string>): Promise<void>;
  /** True for a write that an archived workspace takes too, as it changes nothing that is in it. */
  takenWhenArchived?: boolean;
  /** True if success changes nothing (a price, for example). It still runs in a transaction. */
  safe?: boolean;
  /**
   * Of a read: true for an input whose work would hold up other calls. The worker process does it, on a snapshot later than the
   * one on which the caller was admitted.
   */
  isHeavy?(input: z.output<I>, context: Context): boolean | Promise<boolean>;
  /**
   * Of a read that takes `wait`, seconds to wait for: true once the answer is not going to change soon. It is read again, each
   * time on a snapshot of its own, until then or until the seconds are over.
   */
  isSettled?(output: z.input<O>): boolean;
  handle(input: z.output<I>, context: Context): Promise<z.input<O> | OutboxEntry | Queued>;
  /** Where the answer of REST is a stored file, and not JSON: which one, and the media types that it can have. */
  sendsFile?: { mediaTypes: readonly string[]; of(answer: z.output<O>): SentFile };
  /** For an endpoint that returns `Queued`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- its body is known where it is declared, as that of `handle`
  job?: AsJob<any, O>;
  /**
   * The outside work of an outbox entry. It may run several times, also at once in two processes, with the same result: the
   * other system recognises repeats by the entry's id.
   */
  perform?(plan: unknown, context: PerformContext): Promise<Conclude<z.input<O>>>;
  /**
   * Replaces refusals with the statuses 400, 409, 422, 502 and 503 that `handle` did not throw with fields of its own. `path`
   * is undefined where its parameters are no identifiers.
   */
  refuse?(refusal: AppError, path: Record<string, string> | undefined, context: Context): Promise<AppError>;
  /** The body of errors that have extra fields. */
  refusals?: RefusalBody;
  /** The answer without its secrets, as it is stored for a repeat of its Idempotency-Key. */
  withoutSecrets?(answer: z.output<O>): z.output<O>;
  /** For a creation that spends credits: what to show before it is confirmed. Throws what `handle` would throw. */
  present?(input: z.output<I>, context: Context): Promise<Presentation>;
  /** Records that the person declined what `present` showed, so that it can no longer be created. */
  decline?(input: z.output<I>, context: Context): Promise<void>;
}

export type Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Declaration<I, O>;

/** An endpoint whose schemas are not known at the place of use. */
// oxlint-disable-next-line typescript/no-explicit-any -- `handle` is contravariant; only invoke() calls it, with parsed input
export type AnyEndpoint = Endpoint<any, any>;

/**
 * Ties `handle` to the two schemas. Route, tool, OpenAPI, role check and audit row all derive from what this returns:
 * `npm run generate` puts it into tools/every-endpoint.ts.
 */
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(declaration: Declaration<I, O>): Endpoint<I, O> {
  const isMarked = declaration.method === "GET" || declaration.scope !== undefined;
  return isMarked ? declaration : { notATool: "write endpoint not marked for agents", ...declaration };
}

/** What the console alone calls, for the role check and the audit row: it has no route and is no tool. */
export function consoleOnly<I extends z.ZodObject, O extends z.ZodType>(
  declaration: Declaration<I, O>,
): Endpoint<I, O> {
  return declaration;
}

/** True for an endpoint that only reads. */
export function reads(of: AnyEndpoint): boolean {
  return of.method === "GET";
}

/** The scope that an assistant needs for an endpoint. */
export function scopeOf(of: AnyEndpoint): Scope {
  return of.scope ?? "read";
}

/** What an assistant must be allowed in order to use every tool among these endpoints, in the order of the scopes. */
export function toolScopes(among: readonly AnyEndpoint[]): Scope[] {
  const needed = new Set(among.filter((one) => one.notATool === undefined).map(scopeOf));
  return (Object.keys(SCOPES) as Scope[]).filter((scope) => needed.has(scope));
}

/** `createSearchAnalysis` to `create_search_analysis`. */
export function toolName(of: AnyEndpoint): string {
  return of.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
