import type { Response } from "express";
import { listMembershipsOf } from "../../../../db/identity/members.ts";
import { eventRow } from "../../../../db/identity/audit-event.ts";
import type { Deps } from "../../../call/invoke.ts";

/** Records a sign-in in the audit log of every organization of the person. */
export function recordSignIn(userId: string, response: Response, deps: Deps): Promise<void> {
  return note({ userId }, "ok", response, deps);
}

/** Records a rejected sign-in if the e-mail is a member's. Unknown e-mails take the same work, so timing reveals nothing. */
export function recordRefusedSignIn(email: string, response: Response, deps: Deps): Promise<void> {
  return note({ email: email.trim().toLowerCase() }, "UNAUTHENTICATED", response, deps);
}

/** Records, for the organization's owners, that their provider vouched for a person who was not let in. */
export function recordRefusedIdentity(organizationId: string, outcome: string, response: Response, deps: Deps): void {
  const requestId = response.locals["requestId"] as string;
  deps.audit.add(eventRow({ name: "signIn", organizationId, userId: null, door: "web", outcome, requestId }, deps));
}

async function note(
  who: Parameters<typeof listMembershipsOf>[1],
  outcome: string,
  response: Response,
  deps: Deps,
): Promise<void> {
  const requestId = response.locals["requestId"] as string;
  for (const { userId, organizationId } of await deps.store.read((db) => listMembershipsOf(db, who))) {
    const event = { name: "signIn", organizationId, userId, door: "web", outcome, requestId } as const;
    deps.audit.add(eventRow(event, deps));
  }
}
