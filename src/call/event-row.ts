import type { AuditRow } from "../../db/identity/audit.ts";
import type { Deps } from "./invoke.ts";

/** An audited action outside any endpoint, such as a sign-in or an operator's command. */
export interface AuditedEvent {
  /** In camelCase, like an endpoint's name. */
  name: string;
  organizationId: string;
  /** Null for an action without a signed-in person. */
  userId: string | null;
  door: "web" | "command";
  outcome: string;
  requestId: string;
}

/** The audit row of an event, which has no arguments to hash. */
export function eventRow(event: AuditedEvent, { now, newId }: Pick<Deps, "now" | "newId">): AuditRow {
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
