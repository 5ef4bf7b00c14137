import type { Db } from "../db/engine/store.ts";
import { AppError } from "../core/shared/errors.ts";
import { wayInBy, type Proof, type WayIn } from "../core/identity/proof.ts";
import type { Instant } from "../core/shared/time.ts";
import type { ApiKeyKind, OrganizationRole, Scope } from "../core/identity/roles.ts";

/** The interface that a call came through. */
export type Door = "rest" | "mcp" | "web";

/** Limits that an API key sets on what its creator may do. */
export interface KeyReach {
  kind: ApiKeyKind;
  organizationId: string | null;
  workspaceId: string | null;
  role: OrganizationRole | null;
}

/**
 * The authenticated caller of this request: an enabled account, proven by token or session. Roles are not here: they are
 * read from the database on every call.
 */
export interface Caller {
  userId: string;
  door: Door;
  /** The calling program: an OAuth client or an API key; null for the person's own browser. */
  clientId: string | null;
  scopes: ReadonlySet<Scope>;
  reach: KeyReach | null;
  /** The proof of their address that the sign-in, or the key, came from. */
  proof: Proof;
  /**
   * When the person last showed who they are, for a browser or a token of their own sign-in; null for keys and assistants,
   * and where a provider remembered the person and did not say.
   */
  signedInAt: Instant | null;
}

/** A token whose signature and times are right. A signature cannot be revoked, so who calls is found where its grant is kept. */
export interface ProvenToken {
  userId: string;
  /** The caller, as the database is now; UNAUTHENTICATED where the grant has ended or the account is disabled. */
  arrive(db: Db): Promise<Caller>;
}

/** Rejects a key that is limited more than its person, where `what` belongs to that person. */
export function refuseNarrowKey(caller: Caller | null, what: string): void {
  if (caller?.reach && caller.reach.kind !== "user") {
    throw new AppError("FORBIDDEN", `Only the person themselves, or their user key, can manage ${what}.`);
  }
}

/** What the caller came in by. Without a caller nothing is open. */
export function wayInOf(caller: Caller | null): WayIn {
  if (!caller) return { through: null, localBefore: null };
  return wayInBy(caller.proof, caller.reach?.organizationId ?? null);
}
