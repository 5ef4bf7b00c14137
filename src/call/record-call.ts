import type { AuditRow } from "../../db/identity/audit/audit.ts";
import { reads, type AnyEndpoint } from "../../tools/endpoint.ts";
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
  const outcome = outcomeOf(error);
  const row = rowOf(endpoint, raw, call, deps, outcome);
  if (error instanceof AppError && error.isOfStranger) deps.audit.count(row);
  else if (!reads(endpoint) || !isOfPage(call) || outcome !== "NOT_FOUND") deps.audit.add(row);
}

/** What a page shows is read for it, found or not. That a person looked at a page is nothing that was done. */
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
