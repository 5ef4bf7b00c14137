import { v7 as uuidv7 } from "uuid";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import type { OrganizationTenant } from "../../db/engine/store.ts";
import { toInstant } from "../../core/shared/time.ts";
import { toAuditRow, type AuditedEvent } from "../../db/audit-log/audit-event.ts";

/** Runs in the transaction of the operator's change. */
export async function auditCommand(
  { db, organizationId }: OrganizationTenant,
  { name, text }: Pick<AuditedEvent, "name" | "text">,
): Promise<void> {
  const event = {
    name,
    text,
    organizationId,
    userId: null,
    door: "command",
    outcome: "ok",
    requestId: uuidv7(),
  } as const;
  await insertAuditRows(db, [toAuditRow(event, { now: () => toInstant(Date.now()), newId: () => uuidv7() })]);
}
