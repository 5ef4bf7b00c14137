import type { AuditRow } from "../../db/identity/audit/audit.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { AppError } from "../../core/errors.ts";
import { callRow } from "./call-row.ts";
import type { Call, Deps } from "./invoke.ts";
import { targetIds } from "./target-ids.ts";

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

/** The same of a call that was refused. One that has no part in the organization is counted. */
export function recordRefusal(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  error: unknown,
): void {
  const row = rowOf(endpoint, raw, call, deps, outcomeOf(error));
  if (error instanceof AppError && error.isOfStranger) deps.audit.count(row);
  else deps.audit.add(row);
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
