import type { Instant } from "../../core/shared/time.ts";

/** An identity just proven by an organization's identity provider. `accountOf` decides what it gives access to. */
export interface ProvenIdentity {
  /** OpenID Connect: the issuer. SAML: the provider's entity ID. */
  issuer: string;
  /** Permanently identifies the person at that issuer. */
  subject: string;
  email: string | null;
  /** True if the provider says so, or if the organization trusts its e-mails. */
  emailVerified: boolean;
  name: string | null;
  groups: string[];
  /** When the person authenticated there, as the provider says; null if it does not. */
  authenticatedAt: Instant | null;
}
