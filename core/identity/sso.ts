export const SSO_PROTOCOLS = ["oidc", "saml"] as const;

/** Initiator of a sign-in: the service or the identity provider (interface.md 2.4). */
export const SSO_INITIATORS = ["sp", "idp"] as const;
export type SsoInitiator = (typeof SSO_INITIATORS)[number];

/** Roles that an identity provider can grant; only owners appoint owners. */
export const SSO_ROLES = ["editor", "viewer", "guest"] as const;
export type SsoRole = (typeof SSO_ROLES)[number];

/** Minimum role of the members of an identity provider's group. */
export interface GroupRole {
  group: string;
  role: SsoRole;
}

/** A path that browsers cannot interpret as another site's address. */
const RELAY_PATH_PATTERN = /^\/(?![/\\])[\x21-\x5B\x5D-\x7E]{0,1999}$/;

/** Path to continue at after sign-in: the requested one if safe, else the start page. */
export function toSafeRelayPath(asked: string | null | undefined): string {
  return asked !== null && asked !== undefined && RELAY_PATH_PATTERN.test(asked) ? asked : "/";
}
