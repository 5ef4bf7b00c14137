import type { OrganizationRole } from "./roles.ts";
import type { Instant } from "../shared/time.ts";

/** How control of a mail address was proven: by a mailed link, a provider, or a directory. */
export const PROOF_METHODS = ["local", "provider", "directory"] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** Proof of the mail address behind a credential. */
export interface Proof {
  id: string;
  way: ProofMethod;
  /** Organization of the provider, directory or inviting owner; null for the service's operator. */
  organizationId: string | null;
  /** Set when a later proof replaced it; its keys then reach only earlier memberships. */
  endedAt: Instant | null;
}

export interface CredentialReach {
  /** Organization whose provider authenticated the person; null for a password. */
  through: string | null;
  /** Passwords and their keys reach only memberships before this instant; null for others. */
  localBefore: Instant | null;
}

/** Instant later than any membership. */
const END_OF_TIME: Instant = "9999-12-31T23:59:59.999Z";

/** A key limited to one organization was created after sign-in there and reaches only it. */
export function toCredentialReach(
  { way, organizationId, endedAt }: Proof,
  keyOf: string | null = null,
): CredentialReach {
  const provider = way === "provider" ? organizationId : null;
  return { through: keyOf ?? provider, localBefore: way === "local" ? (endedAt ?? END_OF_TIME) : null };
}

export interface MembershipTerms {
  organizationId: string;
  role: OrganizationRole;
  joinedAt: Instant;
  /** Other organization whose provider authenticated the person on joining. */
  joinedThrough: string | null;
  /** True if the organization requires its own provider. */
  requiresOwn: boolean;
}

/**
 * True if an organization accepts the credential: its own provider; a password, unless its provider
 * is required for the role; or the provider through which the person joined. Owners may use a
 * password, so that a failing provider cannot lock an organization out.
 */
export function isCredentialAccepted(entrance: MembershipTerms, { through, localBefore }: CredentialReach): boolean {
  if (through === entrance.organizationId) return true;
  const local = localBefore !== null && entrance.joinedAt < localBefore;
  if (entrance.requiresOwn) return local && entrance.role === "owner";
  return local || (through !== null && through === entrance.joinedThrough);
}
