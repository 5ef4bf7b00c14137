import { hash } from "node:crypto";
import type { Granted, TargetIds } from "../../auth/authorise.ts";
import type { AuditRow } from "../../db/identity/audit/audit.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import type { Instant } from "../../core/time.ts";
import type { Call } from "./invoke.ts";

/** How a call ended. */
export interface CallEnd {
  at: Instant;
  granted: Granted | null;
  target: TargetIds;
  outcome: string;
}

/** The audit row of a call. It keeps a hash of the arguments, not the arguments. */
export function callRow(
  endpoint: Pick<AnyEndpoint, "name">,
  raw: Record<string, unknown>,
  call: Call,
  end: CallEnd,
  id: string,
): AuditRow {
  return {
    id,
    at: end.at,
    organizationId: end.granted?.organizationId ?? end.target.organizationId,
    workspaceId: end.granted?.workspaceId ?? end.target.workspaceId,
    userId: call.caller?.userId ?? null,
    clientId: call.caller?.clientId ?? null,
    door: call.caller?.door ?? "rest",
    endpoint: endpoint.name,
    argumentsHash: call.sent ?? hashOf(raw),
    scopes: [...(call.caller?.scopes ?? [])].join(" "),
    confirmation: call.confirmation ?? "none",
    costCredits: null,
    outcome: end.outcome,
    requestId: call.requestId,
  };
}

/** SHA-256 of a value's JSON, the fields of objects in the order of their names: the same for the same arguments. */
export function hashOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value, inOrder), "base64url");
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
