import { AppError } from "../core/errors.ts";
import type { ApiKeyKind, OrganizationRole, Scope } from "../core/roles.ts";

/** Where a call came in. */
export type Door = "rest" | "mcp" | "web";

/** Bounds that an API key sets on what its creator may do. */
export interface KeyReach {
  kind: ApiKeyKind;
  organizationId: string | null;
  workspaceId: string | null;
  role: OrganizationRole | null;
}

/**
 * Who is asking, as their token or session proved it in this request: an account that is enabled. Roles are not here:
 * they are read from the database at every call.
 */
export interface Caller {
  userId: string;
  door: Door;
  /** The program that asks: an OAuth client or an API key; null for the person's own browser. */
  clientId: string | null;
  scopes: ReadonlySet<Scope>;
  reach: KeyReach | null;
  /** The organization whose identity provider vouched for the person in this sign-in; null for a password. */
  signedInThrough: string | null;
}

/** Refuses a key that reaches less than its person does, where `what` is that person's own matter. */
export function refuseNarrowKey(caller: Caller | null, what: string): void {
  if (caller?.reach && caller.reach.kind !== "user") {
    throw new AppError("FORBIDDEN", `Only a person, or a user key of that person, manages ${what}.`);
  }
}
