import type { Response } from "express";
import { listMembershipsOf } from "../../../../db/identity/members.ts";
import { eventRow } from "../../../call/event-row.ts";
import type { Deps } from "../../../call/invoke.ts";

/** Notes a sign-in in the audit log of every organization that the person belongs to. */
export function recordSignIn(userId: string, response: Response, deps: Deps): Promise<void> {
  return note({ userId }, "ok", response, deps);
}

/** Notes a sign-in that was refused, where the e-mail is a member's. The work is the same for one that nobody has. */
export function recordRefusedSignIn(email: string, response: Response, deps: Deps): Promise<void> {
  return note({ email: email.trim().toLowerCase() }, "UNAUTHENTICATED", response, deps);
}

/** Notes that an organization's provider vouched for somebody who is not let in, for its owners to see. */
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
