/**
 * Audit log texts of events that are no endpoints: sign-ins, changes of one's own account,
 * commands, SCIM.
 */
export const AUDITED_EVENTS = {
  signIn: "Signed in",
  acceptInvitation: "Accepted an invitation",
  changePassword: "Changed their password",
  setPassword: "Set a first password",
  addAuthenticatorApp: "Added an authenticator app",
  removeAuthenticatorApp: "Removed an authenticator app",
  addPasskey: "Added a passkey",
  renamePasskey: "Renamed a passkey",
  removePasskey: "Removed a passkey",
  removeSecondFactor: "Removed their second factor",
  replaceRecoveryCodes: "Replaced their recovery codes",
  useRecoveryCode: "Signed in with a recovery code",
  handOverAccount: "Handed an account over to its owner",
  exportAuditLog: "Exported the audit log",
  downloadExport: "Downloaded an export by its link",
  warnOfDomain: "Did not find the record of a domain",
  recoverDomain: "Found the record of a domain again",
  lapseDomain: "No longer counts a domain as verified: its record is gone",
  loseDomain: "Lost a domain to another organization",
  setQuotas: "Set quotas",
  resetAccount: "Reset an account's password",
  disableAccount: "Disabled an account",
  enableAccount: "Enabled an account",
  resetFactorAccount: "Reset an account's second factor",
  scimListUsers: "List people (directory)",
  scimSearchUsers: "Search people (directory)",
  scimGetUser: "Read a person (directory)",
  scimCreateUser: "Added a person (directory)",
  scimReplaceUser: "Replaced a person (directory)",
  scimPatchUser: "Changed a person (directory)",
  scimDeleteUser: "Removed a person (directory)",
  scimListGroups: "List groups (directory)",
  scimSearchGroups: "Search groups (directory)",
  scimGetGroup: "Read a group (directory)",
  scimCreateGroup: "Added a group (directory)",
  scimReplaceGroup: "Replaced a group (directory)",
  scimPatchGroup: "Changed a group (directory)",
  scimDeleteGroup: "Removed a group (directory)",
  refusedCalls: "Calls by callers outside the organization",
  unreadRequest: "Sent a request that could not be read",
} as const;

export type AuditedEventName = keyof typeof AUDITED_EVENTS;

export const READING_EVENTS: readonly string[] = Object.keys(AUDITED_EVENTS).filter((name) =>
  /^scim(?:List|Search|Get)/.test(name),
);
