import { hash } from "node:crypto";
import type { Granted, TargetIds } from "../../auth/authorise.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { AuditRow } from "../../db/audit-log/audit.ts";
import { reads, type AnyEndpoint } from "../../tools/endpoint.ts";
import { targetIds } from "./admit.ts";
import type { Call, Deps } from "./deps.ts";

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

/** Adds the audit row of a call that ended without running its endpoint's `handle`. */
export function recordCall(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  outcome: string,
): void {
  deps.audit.add(rowOf(endpoint, raw, call, deps, outcome));
}

/** Records a denied or failed call; calls from outside the organization are only counted. */
export function recordRefusal(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  error: unknown,
): void {
  const outcome = outcomeOf(error);
  const row = rowOf(endpoint, raw, call, deps, outcome);
  if (error instanceof AppError && error.isOfStranger) deps.audit.count(row);
  else if (!reads(endpoint) || !isOfPage(call) || outcome !== "NOT_FOUND") deps.audit.add(row);
}

/** True for reads of console pages, which the audit log leaves out. */
export function isOfPage({ caller }: Call): boolean {
  return caller?.door === "web";
}

type Named = Pick<AnyEndpoint, "name">;

function rowOf(endpoint: Named, raw: Record<string, unknown>, call: Call, deps: Deps, outcome: string): AuditRow {
  return callRow(endpoint, raw, call, { at: deps.now(), granted: null, target: targetIds(raw), outcome }, deps.newId());
}

/** Adds the audit row of a request that was refused before it was known what it calls. */
export function recordUnread(call: Call, deps: Deps, error: unknown): void {
  deps.audit.add(rowOf({ name: "unreadRequest" }, {}, call, deps, outcomeOf(error)));
}

export function outcomeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "INTERNAL";
}
