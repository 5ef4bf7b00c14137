import type { Db } from "../db/engine/store.ts";
import { AppError } from "../core/shared/errors.ts";
import type { Proof } from "../core/identity/proof.ts";
import type { Instant } from "../core/shared/time.ts";
import type { ApiKeyKind, OrganizationRole, Scope } from "../core/identity/roles.ts";

export type EntryPoint = "rest" | "mcp" | "web";

export interface KeyReach {
  kind: ApiKeyKind;
  organizationId: string | null;
  workspaceId: string | null;
  role: OrganizationRole | null;
}

/** Holds no roles, because each call reads them from the database. */
export interface Caller {
  userId: string;
  door: EntryPoint;
  /** Null for the user's own browser. */
  clientId: string | null;
  scopes: ReadonlySet<Scope>;
  reach: KeyReach | null;
  proof: Proof;
  /** Null for keys and assistants, and if the identity provider reports no authentication time. */
  signedInAt: Instant | null;
}

/** A signature cannot be revoked, so `loadCaller` looks up the grant. */
export interface VerifiedToken {
  userId: string;
  /** Loads the caller. Throws UNAUTHENTICATED if the grant has ended or the account is disabled. */
  loadCaller(db: Db): Promise<Caller>;
}

export function requireUserKey(caller: Caller | null, what: string): void {
  if (caller?.reach && caller.reach.kind !== "user") {
    throw new AppError("FORBIDDEN", `Only the person themselves, or their user key, can manage ${what}.`);
  }
}
