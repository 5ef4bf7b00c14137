import type { OrganizationRole } from "./roles.ts";
import type { Instant } from "../shared/time.ts";

/** How it was shown that an address is a person's: by a link that only they were given, a provider, or a directory. */
export const PROOF_WAYS = ["local", "provider", "directory"] as const;
export type ProofWay = (typeof PROOF_WAYS)[number];

/** The proof of an address that a credential came from. */
export interface Proof {
  id: string;
  way: ProofWay;
  /** Whose provider or directory, or whose owner gave the link out; null for the operator of the service. */
  organizationId: string | null;
  /** Set once a later proof took its place: its keys then reach only what was joined before. */
  endedAt: Instant | null;
}

/** Which memberships a credential reaches. */
export interface WayIn {
  /** The organization whose provider vouched for the person; null for a password. */
  through: string | null;
  /** A password, and what came from it, reaches what was joined before this instant; null for any other way. */
  localBefore: Instant | null;
}

/** Later than any membership. */
const FOREVER: Instant = "9999-12-31T23:59:59.999Z";

/**
 * The way in of a credential. A key that is limited to one organization was made by a person who had come in there, and
 * reaches nothing else.
 */
export function wayInBy({ way, organizationId, endedAt }: Proof, keyOf: string | null = null): WayIn {
  const provider = way === "provider" ? organizationId : null;
  return { through: keyOf ?? provider, localBefore: way === "local" ? (endedAt ?? FOREVER) : null };
}

/** What decides whether a membership is open to a way in. */
export interface Entrance {
  organizationId: string;
  role: OrganizationRole;
  joinedAt: Instant;
  /** The other organization whose provider the person came through when joining. */
  joinedThrough: string | null;
  /** True if the organization requires its own provider. */
  requiresOwn: boolean;
}

/**
 * True if an organization accepts what a person came in by: its own provider; a password, unless it requires its provider
 * of this role; or the provider of another organization through which the person joined. Owners may use a password, so that
 * a failing provider cannot lock an organization out for good.
 */
export function accepts(entrance: Entrance, { through, localBefore }: WayIn): boolean {
  if (through === entrance.organizationId) return true;
  const local = localBefore !== null && entrance.joinedAt < localBefore;
  if (entrance.requiresOwn) return local && entrance.role === "owner";
  return local || (through !== null && through === entrance.joinedThrough);
}
