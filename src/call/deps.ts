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
import type { KeywordDataPrices } from "../../core/analyses/keyword-data.ts";
import type { OutsideSystems } from "../../core/shared/outside-systems.ts";
import type { PriceTable } from "../../core/credits/prices.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { CatalogCache } from "../../db/catalog/catalogs.ts";
import type { AuditRow } from "../../db/audit-log/audit.ts";
import type { Store } from "../../db/engine/store.ts";
import type { ConfirmationMethod, Context } from "../../tools/endpoint.ts";
import type { UploadService } from "../assets/uploads.ts";
import type { Limits } from "../limits/open-limits.ts";
import type { OpenOutside } from "../outside/outside.ts";
import type { HeavyReads } from "../reads/heavy-reads.ts";

/** Buffers audit rows of reads and rejections; writes them in batches, at most a second late. */
export interface AuditBuffer {
  add(row: AuditRow): void;
  /**
   * Counts a rejected call from outside the organization; equal calls of a minute share one row.
   */
  countDenied(row: AuditRow): void;
  /** Resolves when the buffered rows are on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** `gone`: another process completed the entry first. */
export type OutboxOutcome =
  | { kind: "answered"; value: unknown }
  | { kind: "refused"; error: AppError }
  | { kind: "gone" };

export type OutboxInProgress = Map<string, Promise<OutboxOutcome>>;

export interface Deps {
  store: Store;
  audit: AuditBuffer;
  now: () => Instant;
  newId: () => string;
  baseUrl: string;
  prices: PriceTable;
  importLimits: ImportLimits;
  adapters: SourceAdapters;
  keywordPrices: KeywordDataPrices;
  catalogs: CatalogCache;
  /** Call after a commit that may have queued work. */
  wakeWorker: () => void;
  restTokens: RestTokens;
  scimTokens: ScimTokens;
  toolTokens: ToolTokens;
  secrets: Secrets;
  exportLinks: ExportLinks;
  outside: OutsideSystems & Pick<OpenOutside, "closingSignal">;
  outbox: OutboxInProgress;
  longPollCounts: Map<string, number>;
  /** Age after which the worker takes over an outbox entry. */
  outboxRecoveryMs: number;
  uploads: UploadService;
  blobs: Pick<BlobStore, "read">;
  limits: Limits;
  heavyReads: HeavyReads;
}

export interface Call {
  caller: Caller | undefined;
  requestId: string;
  idempotencyKey?: string | undefined;
  /** SHA-256 of the request body, base64url; of the arguments if there was no body. */
  bodyHash?: string | undefined;
  /** True if the client does not wait for the job (`Prefer: respond-async`). */
  respondAsync?: boolean;
  confirmation?: ConfirmationMethod;
  /** Runs in the write transaction; throws if the data shown to the person has changed. */
  rejectIfStale?: ((context: Context) => Promise<void>) | undefined;
  /** Error of an unparsable request. Thrown only after the caller is authorised. */
  parseError?: AppError | undefined;
  /** Returns a signal that aborts when the client disconnects. Called only for slow calls. */
  disconnectSignal?: (() => AbortSignal) | undefined;
}
