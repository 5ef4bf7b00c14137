/** Why the engine could not do what was asked. */
export type StoreFault =
  /** Another transaction is in the way, and stayed there for as long as we wait. */
  | "busy"
  | "full"
  /** The file cannot be read or written: a fault of the disk, or of permissions. */
  | "unreadable"
  /** A write to what may only be read. */
  | "readonly"
  /** The file is damaged, or is no database. */
  | "corrupt"
  /** Another file, or none, is where the one that is open was. */
  | "replaced"
  /** There is no database, and none is to be made. */
  | "absent"
  /** A row with the same unique values exists. */
  | "duplicate"
  /** The rows do not fit together: a missing parent, an empty column. */
  | "constraint"
  /** A statement that the engine does not understand: a fault of ours. */
  | "unknown";

/** An error of the engine in words that every engine shares. `cause` is the engine's own, for the log. */
export class StoreError extends Error {
  override name = "StoreError";
  readonly reason: StoreFault;

  constructor(reason: StoreFault, options: { cause: unknown }) {
    super(MESSAGES[reason], options);
    this.reason = reason;
  }
}

const MESSAGES: Record<StoreFault, string> = {
  busy: "The database is busy.",
  full: "The disk of the database is full.",
  unreadable: "The file of the database cannot be read or written.",
  readonly: "The database can only be read.",
  corrupt: "The file of the database is damaged, or is no database.",
  replaced: "The files of the database were removed or replaced while they were open.",
  absent: "There is no database.",
  duplicate: "A row with these unique values exists.",
  constraint: "A row breaks a constraint of the database.",
  unknown: "The database refused a statement.",
};

/** True where the same transaction may well succeed when it is run again from its start. */
export function mayRunAgain(error: unknown): boolean {
  return error instanceof StoreError && error.reason === "busy";
}
