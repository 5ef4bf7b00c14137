import type { Instant } from "../../core/shared/time.ts";
import type { AuditedEventName } from "../../core/identity/audited-events.ts";
import type { AuditRow } from "./audit.ts";

/** An audited action outside any endpoint, such as a sign-in, an operator's command, or what the service itself finds out. */
export interface AuditedEvent {
  /** An operator's commands on domains have the names of the endpoints that do the same. */
  name: AuditedEventName | "verifyOrganizationDomain" | "deleteOrganizationDomain";
  /** What was done to what, in the words of that moment; the event's own words unless given. */
  text?: string | null | undefined;
  organizationId: string;
  /** Null for an action without a signed-in person. */
  userId: string | null;
  door: "web" | "scim" | "command" | "service" | "link";
  outcome: string;
  requestId: string;
}

/** The audit row of an event, which has no arguments to hash. */
export function eventRow(event: AuditedEvent, { now, newId }: { now: () => Instant; newId: () => string }): AuditRow {
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
