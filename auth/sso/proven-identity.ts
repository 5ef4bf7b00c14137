/** Who somebody is, as an organization's identity provider proved it a moment ago. The rest is for `accountOf` to judge. */
export interface ProvenIdentity {
  /** OpenID Connect: the issuer. SAML: the provider's entity ID. */
  issuer: string;
  /** Identifies the person at that issuer for good. */
  subject: string;
  email: string | null;
  /** True where the provider says so, or where the organization trusts what it says of e-mails. */
  emailVerified: boolean;
  name: string | null;
  groups: string[];
}
