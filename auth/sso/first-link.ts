import type { UserRow } from "../../db/identity/users.ts";

/** What becomes of an account when an organization's provider or directory first says whose it is. */
export const FIRST_LINKS = ["kept", "handed_over"] as const;
export type FirstLink = (typeof FIRST_LINKS)[number];

/** An account is kept where the organization itself made it. */
export function firstLinkOf(organizationId: string, account: Pick<UserRow, "managedByOrganizationId">): FirstLink {
  return account.managedByOrganizationId === organizationId ? "kept" : "handed_over";
}
