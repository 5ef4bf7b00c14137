import type { Caller } from "../../auth/caller.ts";
import { AppError } from "../../src/core/errors.ts";

/** An account is its person's own matter: a key that reaches less than they do neither sees nor changes it. */
export function refuseNarrowCaller(caller: Caller | null): void {
  if (caller?.reach && caller.reach.kind !== "user") {
    throw new AppError("FORBIDDEN", "Only a person, or a user key of that person, manages their account.");
  }
}
