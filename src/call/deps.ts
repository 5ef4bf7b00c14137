import type { Caller } from "../../auth/caller.ts";
import type { ExportLinks } from "../../auth/keys/export-links.ts";
import type { Secrets } from "../../auth/keys/secrets.ts";
import type { RestTokens } from "../../auth/oauth/rest-tokens.ts";
import type { ToolTokens } from "../../auth/oauth/access-tokens.ts";
import type { ScimTokens } from "../../auth/sso/scim-tokens.ts";
import type { SourceAdapters } from "../../core/sources/adapters.ts";
import type { BlobStore } from "../../core/shared/blobs.ts";
import type { AppError } from "../../core/shared/errors.ts";
import type { ImportLimits } from "../../core/analyses/imports.ts";
import type { KeywordPrices } from "../../core/analyses/keyword-figures.ts";
import type { Outside } from "../../core/shared/outside.ts";
import type { PriceTable } from "../../core/credits/prices.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Catalogs } from "../../db/catalog/catalogs.ts";
import type { AuditRow } from "../../db/audit-log/audit.ts";
import type { Store } from "../../db/engine/store.ts";
import type { Confirmation, Context } from "../../tools/endpoint.ts";
import type { Uploads } from "../assets/uploads.ts";
import type { Limits } from "../limits/open-limits.ts";
import type { OpenOutside } from "../outside/outside.ts";
import type { HeavyReads } from "../reads/heavy-reads.ts";

/** Buffers the audit rows of reads and refusals and writes them in batches, at most a second late. */
export interface AuditBuffer {
  add(row: AuditRow): void;
  /** Counts the refusal of a caller who has no part in the organization: one row a minute stands for all alike. */
  count(row: AuditRow): void;
  /** Writes the buffered rows; resolves when they are on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** How an outbox entry ended; `gone` where another process ended it first. */
export type OutboxEnd =
  | { kind: "answered"; value: unknown }
  | { kind: "refused"; refusal: AppError }
  | { kind: "gone" };

/** Outbox entries that this process is working on, by id. */
export type OutboxUnderWay = Map<string, Promise<OutboxEnd>>;

/** Services of the process that every call uses. */
export interface Deps {
  store: Store;
  audit: AuditBuffer;
  now: () => Instant;
  newId: () => string;
  /** Public address of the core interface and of the pages. */
  baseUrl: string;
  prices: PriceTable;
  importLimits: ImportLimits;
  adapters: SourceAdapters;
  keywordPrices: KeywordPrices;
  catalogs: Catalogs;
  /** Wakes this process's worker after a commit that may have queued work. */
  wakeWorker: () => void;
  restTokens: RestTokens;
  scimTokens: ScimTokens;
  toolTokens: ToolTokens;
  secrets: Secrets;
  exportLinks: ExportLinks;
  outside: Outside & Pick<OpenOutside, "closing">;
  outbox: OutboxUnderWay;
  /** Long polls in progress, by account. */
  waiting: Map<string, number>;
  /** Age at which the worker takes over an outbox entry. */
  outboxRecoveryMs: number;
  uploads: Uploads;
  blobs: Pick<BlobStore, "read">;
  limits: Limits;
  heavyReads: HeavyReads;
}

/** One call, as an interface decoded it. */
export interface Call {
  caller: Caller | undefined;
  requestId: string;
  idempotencyKey?: string | undefined;
  /** SHA-256 of what was sent, base64url, where it came as bytes; of the arguments otherwise. */
  sent?: string | undefined;
  /** True where the client does not want to wait for what a job does. */
  respondAsync?: boolean;
  confirmation?: Confirmation;
  /** Throws where what the caller saw when they decided is no more; runs in the transaction of a write. */
  stillAsShown?: ((context: Context) => Promise<void>) | undefined;
  /** Why the request could not be read beyond its path. Thrown only after the caller is authorised. */
  unreadable?: AppError | undefined;
  /** Gives what is aborted when the caller has gone. Called only for what takes long. */
  gone?: (() => AbortSignal) | undefined;
}
