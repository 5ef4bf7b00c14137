import type { z } from "zod";
import type { Access } from "../auth/authorise.ts";
import type { Caller } from "../auth/caller.ts";
import type { RestTokens } from "../auth/oauth/rest-tokens.ts";
import type { ScimTokens } from "../auth/sso/scim-tokens.ts";
import type { Secrets } from "../auth/keys/secrets.ts";
import type { Db } from "../db/engine/store.ts";
import type { TenantStore } from "../db/engine/tenant-store.ts";
import type { TxtRecords } from "../core/identity/domain-ownership.ts";
import type { AppError, ErrorCode } from "../core/errors.ts";
import type { Partner } from "../core/partner.ts";
import type { AssetScorer } from "../core/evaluation/scorer.ts";
import type { SourceAdapters } from "../core/adapters.ts";
import type { Platforms } from "../core/platforms.ts";
import type { PriceTable } from "../core/prices.ts";
import { SCOPES, type Scope } from "../core/roles.ts";
import type { Instant } from "../core/time.ts";

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
  "Metrics",
  "Search Metrics",
  "Assets",
  "Asset Evaluations",
  "Recommended Actions",
  "Recommended Action Brief",
  "Content Briefs",
  "Platform Integrations",
] as const;

/** Who gave the yes to something that spends credits, and how. */
export type Confirmation = "none" | "argument" | "elicited" | "browser";

/** Who judges assets here: what a person must know before paying for it. */
export type ScorerOffer = Pick<AssetScorer, "name" | "judges" | "isPaid">;

/** What `handle` is given besides its input. */
export interface Context {
  db: Db;
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
  adapters: SourceAdapters;
  restTokens: RestTokens;
  scimTokens: ScimTokens;
  sealer: Pick<Secrets, "seal">;
  /** True where this process was told where the partner is. */
  hasPartner: boolean;
  scorer: ScorerOffer;
  confirmation: Confirmation;
  /** Puts the credits that this call commits on its audit row. */
  recordCost: (credits: number) => void;
}

/**
 * Work outside the store between two transactions of one call. `handle` gives it back instead of an answer, having
 * checked all that it can and written nothing; it is stored with that transaction, so that after a crash it is done to
 * its end. One at a time for each subject: a second call for it waits for the end of the first.
 */
export class Errand {
  readonly subjectId: string;
  /** What `perform` needs, as plain JSON. */
  readonly plan: Record<string, unknown>;

  constructor(subjectId: string, plan: Record<string, unknown>) {
    this.subjectId = subjectId;
    this.plan = plan;
  }
}

/** What `perform` works with. */
export interface Outside {
  /** The same for every repeat of one errand. */
  errandId: string;
  /** What is stored is read before others are asked, and never while they are. */
  store: Pick<TenantStore, "read" | "workspaceId">;
  /** Undefined where no partner is configured. */
  partner: Partner | undefined;
  platforms: Platforms;
  secrets: Pick<Secrets, "unseal">;
  txtRecords: TxtRecords;
}

/** Ends an errand in the second transaction: the answer, or a refusal that leaves what was written. */
export type Conclude<Output> = (context: Context) => Promise<Output | AppError>;

/** What refusals carry besides code and message, and which do. */
export interface RefusalBody {
  /** Its name in the reference. */
  id: string;
  details: z.ZodObject;
  codes: readonly ErrorCode[];
}

/** What a person must see before saying yes to a creation that spends credits. */
export interface Presentation {
  /** The whole setup, the cost and the balance after it, in plain text. */
  message: string;
  credits: number;
  /** Where a person must approve in the browser; null where a yes in the conversation is enough. */
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
  /** First sentence says when to use it. */
  description: string;
  access: Access;
  /** The console's page for what this shows, in the words of `path`. */
  page?: `/${string}`;
  /** What an assistant must have been allowed; reads need `read`. */
  scope?: Scope;
  /** Why this is not an agent tool; absent means that it is one. */
  notATool?: string;
  /** One flat object: keys named in the path, the rest is the query (GET, DELETE) or the body. */
  input: I;
  /** Response body. What it does not declare never leaves. */
  output: O;
  errors?: readonly ErrorCode[];
  /** `lines` takes the whole body, JSON Lines, as the input field `lines`. */
  body?: "lines";
  /** The input field that takes a file, which is sent as multipart/form-data and kept before `handle` is called. */
  file?: string;
  /** Refuses, before a file is read, what `handle` would refuse whatever file it is. */
  admitFile?(context: Context): Promise<void>;
  /** True where success changes nothing (a price, for example); such a write is still a transaction. */
  safe?: boolean;
  handle(input: z.output<I>, context: Context): Promise<z.input<O> | Errand>;
  /**
   * The outside work of an errand. It may be run several times, also at once in two processes, and must come to the same:
   * whoever is called knows repeats by the errand's id.
   */
  perform?(plan: unknown, outside: Outside): Promise<Conclude<z.input<O>>>;
  /** Says in the endpoint's own words that the input is not valid. Called where its path is; may refuse otherwise. */
  refuseInput?(refusal: AppError, path: Record<string, string>, context: Context): Promise<AppError>;
  /** The body of refusals that carry more than others do. */
  refusals?: RefusalBody;
  /** What of an answer may be kept for a repeat of its Idempotency-Key, for one that holds a secret. */
  withoutSecrets?(answer: z.output<O>): z.output<O>;
  /** For a creation that spends credits: what is shown before the yes. Throws what `handle` would refuse. */
  present?(input: z.output<I>, context: Context): Promise<Presentation>;
  /** Notes that the person said no to what `present` showed, so that it cannot be created any more. */
  decline?(input: z.output<I>, context: Context): Promise<void>;
}

export type Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Declaration<I, O>;

/** An endpoint whose schemas are not known where it is used. */
// oxlint-disable-next-line typescript/no-explicit-any -- `handle` is contravariant; only invoke() calls it, with parsed input
export type AnyEndpoint = Endpoint<any, any>;

/** Ties `handle` to the two schemas. Route, tool, OpenAPI, role check and audit row all derive from what this returns. */
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(declaration: Declaration<I, O>): Endpoint<I, O> {
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
