interface Email {
  value?: string | undefined;
  display?: string | undefined;
  type?: string | undefined;
  primary?: boolean | undefined;
}

interface PersonName {
  formatted?: string | undefined;
  familyName?: string | undefined;
  givenName?: string | undefined;
  middleName?: string | undefined;
  honorificPrefix?: string | undefined;
  honorificSuffix?: string | undefined;
}

/** What is kept of a provisioned person besides user name, external id and whether they are active (RFC 7643). */
export interface ScimUserDetails {
  name?: PersonName | undefined;
  displayName?: string | undefined;
  title?: string | undefined;
  userType?: string | undefined;
  preferredLanguage?: string | undefined;
  locale?: string | undefined;
  timezone?: string | undefined;
  emails?: Email[] | undefined;
}
