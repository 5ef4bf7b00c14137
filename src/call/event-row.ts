import type { AuditRow } from "../../db/identity/audit.ts";
import type { Deps } from "./invoke.ts";

/** Something that is done by no endpoint, such as a sign-in or an operator's command. */
export interface AuditedEvent {
  /** In the manner of an endpoint's name. */
  name: string;
  organizationId: string;
  /** Null where nobody signed in did it. */
  userId: string | null;
  door: "web" | "command";
  outcome: string;
  requestId: string;
}

/** The audit row of an event. It has no arguments that a hash could be kept of. */
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
