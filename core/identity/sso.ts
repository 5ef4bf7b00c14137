/** How an organization's identity provider speaks. */
export const SSO_PROTOCOLS = ["oidc", "saml"] as const;

/** Who began a sign-in: the service, or the identity provider (interface.md 2.4). */
export const SSO_INITIATORS = ["sp", "idp"] as const;
export type SsoInitiator = (typeof SSO_INITIATORS)[number];

/** Organization roles that an identity provider can give. Owners are made by owners alone. */
export const SSO_ROLES = ["editor", "viewer", "guest"] as const;
export type SsoRole = (typeof SSO_ROLES)[number];

/** Members of a group at the identity provider have at least this role here. */
export interface GroupRole {
  group: string;
  role: SsoRole;
}

/** A path of this site, which no browser reads as another site's address. */
const RELAY_PATH = /^\/(?![/\\])[\x21-\x5B\x5D-\x7E]{0,1999}$/;

/** Where to go on after a sign-in: the path asked for, or the start page for anything that could lead elsewhere. */
export function relayPathOf(asked: string | null | undefined): string {
  return asked !== null && asked !== undefined && RELAY_PATH.test(asked) ? asked : "/";
}
