import type { AuthorisedIds } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import type { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";

export interface Selection {
  /** Null for all. */
  columns: readonly string[] | null;
  /** Optional fields of one object. */
  includedFields: readonly string[];
  /** False if the result has only a summary of its basis. */
  hasFullBasis: boolean;
  /** Rows that an earlier result already returned. */
  skip: number;
  /** Null for the endpoint's default. */
  limit: number | null;
  /** For an object, the position to continue from. */
  cursor: string | null;
  /** Console page to edit the result; null if there is none. */
  page: string | null;
  /** Notes about organization, workspace and analysis that the call left out. */
  filled: readonly string[];
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

/** Once: first job, ready for reads. Then heartbeats, and per read: start, parts, end or error. */
export type WorkerOutput =
  | "begins"
  | "working"
  | "alive"
  | { id: number; begun: true }
  | { id: number; part: Uint8Array }
  | { id: number; part: Uint8Array; end: "done" }
  | { id: number; end: "failed" }
  | { id: number; end: SerialisedError };

/** An error loses its class between processes. */
export type SerialisedError = Pick<
  AppError,
  "code" | "message" | "fields" | "subject" | "isFromOutsider" | "details" | "retryAfterSeconds"
>;
