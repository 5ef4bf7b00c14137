import type { Instant } from "../../core/shared/time.ts";

export interface ProvenIdentity {
  /** Issuer of the identity: the issuer for OpenID Connect, the entity ID for SAML. */
  issuer: string;
  /** Permanent identifier of the person at the issuer. */
  subject: string;
  email: string | null;
  /** True if the provider says so, or if the organization trusts its e-mails. */
  emailVerified: boolean;
  name: string | null;
  groups: string[];
  /** Null if the provider reports no authentication time. */
  authenticatedAt: Instant | null;
}
