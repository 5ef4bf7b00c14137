export type StoreFault =
  /** Another transaction held the lock for the whole wait. */
  | "busy"
  | "full"
  /** A disk fault or missing permissions. */
  | "unreadable"
  | "readonly"
  | "corrupt"
  | "replaced"
  | "absent"
  | "duplicate"
  /** Such as a foreign key or a not-null column. */
  | "constraint"
  /** A bug. */
  | "unknown";

/** Engine-independent error. `cause` is the engine's error, for the log. */
export class StoreError extends Error {
  override name = "StoreError";
  readonly reason: StoreFault;

  constructor(reason: StoreFault, options: { cause: unknown }) {
    super(STORE_FAULT_MESSAGES[reason], options);
    this.reason = reason;
  }
}

const STORE_FAULT_MESSAGES: Record<StoreFault, string> = {
  busy: "The database is busy.",
  full: "The disk of the database is full.",
  unreadable: "The database file cannot be read or written.",
  readonly: "The database is read-only.",
  corrupt: "The database file is corrupt, or is not a database.",
  replaced: "The files of the database were removed or replaced while they were open.",
  absent: "There is no database.",
  duplicate: "A row with these unique values exists.",
  constraint: "A row breaks a constraint of the database.",
  unknown: "The database rejected a statement.",
};

export function isRetryable(error: unknown): boolean {
  return error instanceof StoreError && error.reason === "busy";
}
