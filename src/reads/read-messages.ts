import type { AuthorisedIds } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import type { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";

export interface Selection {
  /** Columns of the result; null for all. */
  columns: readonly string[] | null;
  /** Optional fields that the call requests of one object. */
  includedFields: readonly string[];
  /** Number of leading rows that an earlier result already returned. */
  skip: number;
  /** Max rows; null for the endpoint's default. */
  limit: number | null;
  /** The endpoint's cursor of this page; for an object, the position to continue from. */
  cursor: string | null;
  /** URL of the console page to edit the result; null if there is none. */
  page: string | null;
}

/** The caller is already authorised, and the input parsed. */
export interface HeavyRead {
  endpoint: string;
  input: Record<string, unknown>;
  authorisedIds: AuthorisedIds;
  caller: Caller | undefined;
  at: Instant;
  /** Set if the tool's result is requested instead of the endpoint's. */
  selection: Selection | undefined;
}

export type ReadInput = { id: number; read: HeavyRead } | { id: number; read: "cancelled" };

/**
 * Messages of the worker: first job started, ready for reads, heartbeat; and per read: started,
 * parts of JSON in UTF-8, the last with an end marker, or an error.
 */
export type WorkerOutput =
  | "begins"
  | "working"
  | "alive"
  | { id: number; begun: true }
  | { id: number; part: Uint8Array }
  | { id: number; part: Uint8Array; end: "done" }
  | { id: number; end: "failed" }
  | { id: number; end: SerialisedError };

/** Serialisable parts of an AppError, because an error loses its class between processes. */
export type SerialisedError = Pick<
  AppError,
  "code" | "message" | "fields" | "subject" | "isFromOutsider" | "details" | "retryAfterSeconds"
>;
