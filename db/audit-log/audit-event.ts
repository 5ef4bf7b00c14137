import type { Instant } from "../../core/shared/time.ts";
import type { AuditedEventName } from "../../core/identity/audited-events.ts";
import type { AuditRow } from "./audit.ts";

export interface AuditedEvent {
  /** Operator commands on domains are logged under the name of the matching endpoint. */
  name: AuditedEventName | "verifyOrganizationDomain" | "deleteOrganizationDomain";
  text?: string | null | undefined;
  organizationId: string;
  userId: string | null;
  door: "web" | "scim" | "command" | "service" | "link";
  outcome: string;
  requestId: string;
}

export function toAuditRow(event: AuditedEvent, { now, newId }: { now: () => Instant; newId: () => string }): AuditRow {
  const { name, ...rest } = event;
  return {
    ...rest,
    id: newId(),
    at: now(),
    endpoint: name,
    workspaceId: null,
    clientId: null,
    argumentsHash: "",
    scopes: "",
    confirmation: "none",
    costCredits: null,
  };
}
