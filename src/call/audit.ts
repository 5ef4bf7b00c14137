import { hash } from "node:crypto";
import type { Logger } from "pino";
import type { AuthorisedIds, TargetIds } from "../../auth/authorise.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import { insertAuditRows, setAuditCounts, type AuditRow } from "../../db/audit-log/audit.ts";
import type { Store } from "../../db/engine/store.ts";
import { isReadEndpoint, type AnyEndpoint } from "../../tools/endpoint.ts";
import { targetIds } from "./admit.ts";
import type { AuditBuffer, Call, Deps } from "./deps.ts";

export interface CallResult {
  at: Instant;
  granted: AuthorisedIds | null;
  target: TargetIds;
  outcome: string;
}

/** The row stores a hash of the arguments, never the arguments. */
export function createAuditRow(
  endpoint: Pick<AnyEndpoint, "name">,
  raw: Record<string, unknown>,
  call: Call,
  end: CallResult,
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
    argumentsHash: call.bodyHash ?? hashSorted(raw),
    scopes: [...(call.caller?.scopes ?? [])].join(" "),
    confirmation: call.confirmation ?? "none",
    costCredits: null,
    outcome: end.outcome,
    requestId: call.requestId,
  };
}

export function hashSorted(value: unknown): string {
  return hash("sha256", JSON.stringify(value, sortKeys), "base64url");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function recordCall(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  outcome: string,
): void {
  deps.audit.add(buildAuditRow(endpoint, raw, call, deps, outcome));
}

/** Records a denied or failed call. Calls from outside the organization are only counted. */
export function recordFailedCall(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  error: unknown,
): void {
  const outcome = toOutcome(error);
  const row = buildAuditRow(endpoint, raw, call, deps, outcome);
  if (error instanceof AppError && error.isFromOutsider) deps.audit.countDenied(row);
  else if (!isReadEndpoint(endpoint) || !isFromConsole(call) || outcome !== "NOT_FOUND") deps.audit.add(row);
}

/** True for reads of console pages, which are not audited. */
export function isFromConsole({ caller }: Call): boolean {
  return caller?.door === "web";
}

type EndpointName = Pick<AnyEndpoint, "name">;

function buildAuditRow(endpoint: EndpointName, raw: Record<string, unknown>, call: Call, deps: Deps, outcome: string) {
  return createAuditRow(
    endpoint,
    raw,
    call,
    { at: deps.now(), granted: null, target: targetIds(raw), outcome },
    deps.newId(),
  );
}

/** Audits a request that was rejected before its endpoint was known. */
export function recordUnreadRequest(call: Call, deps: Deps, error: unknown): void {
  deps.audit.add(buildAuditRow({ name: "unreadRequest" }, {}, call, deps, toOutcome(error)));
}

export function toOutcome(error: unknown): string {
  return error instanceof AppError ? error.code : "INTERNAL";
}

const MAX_WAIT_MS = 1000;
const MAX_ROWS_PER_FLUSH = 500;

export function openAuditBuffer(store: Store, log: Logger): AuditBuffer {
  const deniedCalls = openDeniedCallCounts();
  let rows: AuditRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = rows;
    rows = [];
    const counted = deniedCalls.take();
    if (batch.length === 0 && counted.length === 0) return;
    await store
      .write(async (db) => {
        await insertAuditRows(db, batch);
        await setAuditCounts(db, counted);
      })
      .catch((error: unknown) => {
        // Retains failed rows for the next attempt, up to a memory bound.
        if (rows.length + batch.length <= MAX_ROWS_PER_FLUSH * 100) rows.unshift(...batch);
        deniedCalls.restore(counted);
        log.error({ err: error, rows: batch.length }, "could not write audit rows");
      });
  };
  const soon = () => void (timer ??= setTimeout(() => void flush(), MAX_WAIT_MS));
  return {
    add(row) {
      rows.push(row);
      if (rows.length >= MAX_ROWS_PER_FLUSH) void flush();
      else soon();
    },
    countDenied(row) {
      deniedCalls.count(row);
      soon();
    },
    flush,
    close: flush,
  };
}

/** Audit row that stands for `count` rejections within one minute. */
export type CountedRow = AuditRow & { count: number };

/**
 * Counts rejections of callers outside the organization per organization, interface, outcome and
 * minute. Anyone can cause them, so they must not grow the audit log or memory.
 */
export interface DeniedCallCounts {
  count(row: AuditRow): void;
  /** Returns the counts changed since the last call; rows replace earlier rows with the same id. */
  take(): CountedRow[];
  restore(rows: readonly CountedRow[]): void;
}

/** Max counted rows; beyond it, rejections are counted without an organization. */
const MAX_DENIED_ROWS = 1000;

export function openDeniedCallCounts(maxRows = MAX_DENIED_ROWS): DeniedCallCounts {
  let minute = "";
  const rows = new Map<string, CountedRow>();
  const changed = new Map<string, CountedRow>();

  function rowFor(denied: AuditRow): CountedRow {
    const toKey = (organizationId: string | null | undefined) => `${organizationId} ${denied.door} ${denied.outcome}`;
    const known = rows.get(toKey(denied.organizationId));
    if (known) return known;
    // Existing rows keep counting. New keys beyond the bound share a row without an organization.
    const organizationId = rows.size < maxRows ? denied.organizationId : null;
    const row = rows.get(toKey(organizationId)) ?? { ...removeCaller(denied), organizationId, count: 0 };
    rows.set(toKey(organizationId), row);
    return row;
  }

  return {
    count(refused) {
      const now = refused.at.slice(0, "2026-11-21T04:31".length);
      if (now !== minute) rows.clear();
      minute = now;
      const row = rowFor(refused);
      row.count++;
      changed.set(row.id, row);
    },
    take() {
      const taken = [...changed.values()].map((row) => ({ ...row }));
      changed.clear();
      return taken;
    },
    restore(taken) {
      for (const row of taken) if (!changed.has(row.id)) changed.set(row.id, row);
    },
  };
}

function removeCaller(row: AuditRow): AuditRow {
  const nothing = { workspaceId: null, userId: null, clientId: null, argumentsHash: "", scopes: "" };
  return { ...row, ...nothing, endpoint: "refusedCalls" };
}
