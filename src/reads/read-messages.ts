import type { Granted } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import type { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Input } from "../call/parse-input.ts";

/** Which part of an answer a call wants. */
export interface Selection {
  /** Null for all of them. */
  columns: readonly string[] | null;
  /** Fields on request that the call wants of one object. */
  included: readonly string[];
  /** Rows at the front that an earlier result gave already. */
  skip: number;
  /** Null where the endpoint itself decides. */
  limit: number | null;
  /** The endpoint's own cursor of this page; of an object, where to go on. */
  cursor: string | null;
  /** Address of the page on which a person changes what is shown; null where there is none. */
  page: string | null;
}

/** A read as it is handed to the worker process: who asks is admitted, and what they ask is parsed. */
export interface HeavyRead {
  endpoint: string;
  input: Input;
  granted: Granted;
  caller: Caller | undefined;
  at: Instant;
  /** The part that a tool shows, where the tool's result is wanted instead of the endpoint's. */
  selection: Selection | undefined;
}

/** What the answering process sends its worker about reads. */
export type ToReader = { id: number; read: HeavyRead } | { id: number; read: "cancelled" };

/**
 * What the worker sends: that its first job begins, that it takes reads, that its event loop turns; and of each read, that it has begun
 * and parts of JSON in UTF-8, the last of them with its end, or why there is none.
 */
export type FromReader =
  | "begins"
  | "working"
  | "alive"
  | { id: number; begun: true }
  | { id: number; part: Uint8Array }
  | { id: number; part: Uint8Array; end: "done" }
  | { id: number; end: "failed" }
  | { id: number; end: Refusal };

/** What an AppError is made of: an error loses its class between processes. */
export type Refusal = Pick<
  AppError,
  "code" | "message" | "fields" | "subject" | "isOfStranger" | "details" | "retryAfterSeconds"
>;
