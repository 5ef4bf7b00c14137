import type { Response } from "express";
import { insertAuditRows } from "../../../db/audit-log/audit.ts";
import { listMemberships } from "../../../db/identity/members.ts";
import { formatEntryText } from "../../../db/audit-log/entry-text.ts";
import { findSsoConfiguration, type SsoConfiguration } from "../../../db/identity/sso.ts";
import type { AuditedEventName } from "../../../core/identity/audited-events.ts";
import { toAuditRow } from "../../../db/audit-log/audit-event.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { Deps } from "../../call/deps.ts";

/** Only the organization of the identity provider learns which provider it was. */
export async function recordSignIn(
  { userId, through }: { userId: string; through: string | null },
  response: Response,
  deps: Deps,
): Promise<void> {
  const provider =
    through === null ? undefined : await deps.store.read((db) => findSsoConfiguration({ db, organizationId: through }));
  await recordForOrganizations({ userId }, { outcome: "ok", provider }, response, deps);
}

/** Records a failed sign-in. Unknown e-mails take equal work, so timing reveals nothing. */
export function recordFailedSignIn(person: { email: string } | { userId: string }, response: Response, deps: Deps) {
  const found = "email" in person ? { email: person.email.trim().toLowerCase() } : person;
  return recordForOrganizations(found, { outcome: "UNAUTHENTICATED" }, response, deps);
}

/** Records an event in every organization of the person, in the transaction of the change. */
export async function insertPersonEvent(
  db: Db,
  { name, userId }: { name: AuditedEventName; userId: string },
  response: Response,
  deps: Pick<Deps, "now" | "newId">,
): Promise<void> {
  const memberships = await listMemberships(db, { userId });
  const requestId = response.locals["requestId"] as string;
  const common = { name, userId, door: "web", outcome: "ok", requestId } as const;
  await insertAuditRows(
    db,
    memberships.map(({ organizationId }) => toAuditRow({ ...common, organizationId }, deps)),
  );
}

/** Records for owners that their provider vouched for a rejected person. */
export function recordRejectedIdentity(
  { issuer, organizationId }: IdentityProvider,
  { personName, outcome }: { personName: string; outcome: string },
  response: Response,
  deps: Deps,
): void {
  const requestId = response.locals["requestId"] as string;
  const text = formatEntryText("Sign-in of {person} through {issuer}", { person: personName, issuer });
  deps.audit.add(
    toAuditRow({ name: "signIn", organizationId, userId: null, door: "web", outcome, requestId, text }, deps),
  );
}

type IdentityProvider = Pick<SsoConfiguration, "issuer" | "organizationId">;

async function recordForOrganizations(
  person: Parameters<typeof listMemberships>[1],
  { outcome, provider }: { outcome: string; provider?: IdentityProvider | undefined },
  response: Response,
  deps: Deps,
): Promise<void> {
  const requestId = response.locals["requestId"] as string;
  for (const { userId, organizationId } of await deps.store.read((db) => listMemberships(db, person))) {
    const isIts = provider?.organizationId === organizationId;
    const text = isIts ? formatEntryText("Signed in through {issuer}", { issuer: provider.issuer }) : null;
    const event = { name: "signIn", organizationId, userId, door: "web", outcome, requestId, text } as const;
    deps.audit.add(toAuditRow(event, deps));
  }
}
