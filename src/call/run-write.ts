import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { AuthorisedIds, TargetIds } from "../../auth/authorise.ts";
import { AppError } from "../../core/shared/errors.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { startRecordingChanges } from "../../db/engine/change-row.ts";
import { findIdempotentResponse, insertIdempotentResponse, type IdempotencyId } from "../../db/engine/idempotency.ts";
import {
  findOutboxEntryByKey,
  findOutboxEntryBySubject,
  insertOutboxEntry,
  type OutboxRow,
} from "../../db/engine/outbox.ts";
import type { Db } from "../../db/engine/store.ts";
import { insertAuditRows, type AuditRow } from "../../db/audit-log/audit.ts";
import { formatChangedFields, formatEntryText, findEntryNames } from "../../db/audit-log/entry-text.ts";
import { OutboxEntry, Queued, type AnyEndpoint, type AuditTenant, type Context } from "../../tools/endpoint.ts";
import { createAuditRow, hashSorted } from "./audit.ts";
import { createContext } from "./admit.ts";
import type { Call, Deps } from "./deps.ts";
import { finishOutboxEntry } from "./outbox.ts";
import { filterOutput } from "./output.ts";
import type { Input } from "./parse-input.ts";

export interface EndpointWrite {
  raw: Record<string, unknown>;
  input: Input;
  at: Instant;
  granted: AuthorisedIds;
  target: TargetIds;
}

function isLong(endpoint: AnyEndpoint): boolean {
  return endpoint.present !== undefined;
}

type WriteOutcome =
  | { kind: "answered"; value: unknown }
  | { kind: "refused"; error: AppError }
  /**
   * Work outside the store, begun by this call or by an earlier one with the `same` or another
   * request.
   */
  | { kind: "outbox"; entry: OutboxRow; begunBy: "us" | "same" | "other" };

/** Runs a write in one transaction, or in two with the work outside the store between them. */
export async function runWrite(endpoint: AnyEndpoint, write: EndpointWrite, call: Call, deps: Deps): Promise<unknown> {
  for (;;) {
    const outcome = await deps.store.write((db) => writeOnce(db, endpoint, write, call, deps), {
      isLong: isLong(endpoint),
    });
    if (outcome.kind === "refused") throw outcome.error;
    deps.wakeWorker();
    if (outcome.kind === "answered") {
      return outcome.value instanceof Queued
        ? awaitJob(endpoint, outcome.value, write.granted, call, deps)
        : outcome.value;
    }
    const { entry, begunBy } = outcome;
    // The first repeat after a crash completes the entry and returns its result; later repeats do
    // not.
    const isOurs = begunBy === "us" || (begunBy === "same" && !deps.outbox.has(entry.id));
    const end = await finishOutboxEntry(entry, deps);
    if (isOurs && end.kind === "answered") return end.value;
    // Rejects also a call that waited for another call's entry, because it would hit the same
    // outage.
    if (end.kind === "refused" && (isOurs || end.error.status >= 500)) throw end.error;
  }
}

async function writeOnce(
  db: Db,
  endpoint: AnyEndpoint,
  write: EndpointWrite,
  call: Call,
  deps: Deps,
): Promise<WriteOutcome> {
  const { raw, input, at, granted, target } = write;
  const idempotency = getIdempotencyId(endpoint, granted, call);
  const inputHash = idempotency ? (call.bodyHash ?? hashSorted(input)) : "";
  const repeated = idempotency && (await findEarlierResult(db, endpoint, idempotency, inputHash));
  if (repeated) return repeated;
  try {
    let costCredits: number | null = null;
    let place: AuditTenant | null = null;
    const context: Context = {
      ...createContext(db, granted, call, deps, at),
      recordCost: (credits) => void (costCredits = credits),
      recordAuditTenant: (named) => void (place = named),
    };
    await call.rejectIfStale?.(context);
    const { logged } = endpoint;
    const names = await findEntryNames(logged, input, db);
    const changes = startRecordingChanges(db);
    const result = await endpoint.handle(input, context);
    if (result instanceof OutboxEntry)
      return await beginOutboxEntry(
        db,
        endpoint,
        { write, idempotency, inputHash, result, text: formatEntryText(logged, names, input) },
        call,
        deps,
      );
    const value = await filterOutput(endpoint, result);
    const shown = value instanceof Queued ? value.body : value;
    const response = endpoint.withoutSecrets ? endpoint.withoutSecrets(shown) : shown;
    if (idempotency) await insertIdempotentResponse(db, idempotency, { inputHash, response, createdAt: at });
    if (changesNothing(endpoint, changes)) return { kind: "answered", value };
    const entry = formatEntryText(logged, names, input, value as Record<string, unknown>);
    const text =
      entry && endpoint.method === "PATCH"
        ? entry + formatChangedFields(logged, input, changes.columns ?? new Set())
        : entry;
    const row = createAuditRow(endpoint, raw, call, { at, granted, target, outcome: "ok" }, deps.newId());
    await insertAuditRows(db, [{ ...row, ...mergeTenantIds(row, place), text, costCredits }]);
    return { kind: "answered", value };
  } catch (error) {
    if (error instanceof AppError && error.keepsWrites) return { kind: "refused", error };
    throw error;
  }
}

function changesNothing({ method }: AnyEndpoint, { columns }: { columns?: ReadonlySet<string> }): boolean {
  return (method === "PATCH" || method === "PUT") && columns?.size === 0;
}

/** Ids named in the call take precedence over ids that the endpoint found. */
function mergeTenantIds(row: AuditRow, found: AuditTenant | null) {
  return {
    organizationId: row.organizationId ?? found?.organizationId ?? null,
    workspaceId: row.workspaceId ?? found?.workspaceId ?? null,
  };
}

async function findEarlierResult(
  db: Db,
  endpoint: AnyEndpoint,
  idempotency: IdempotencyId,
  inputHash: string,
): Promise<WriteOutcome | undefined> {
  const storedAnswer = await findIdempotentResponse(db, idempotency);
  const entry = storedAnswer ? undefined : await findOutboxEntryByKey(db, idempotency);
  const known = storedAnswer ?? entry;
  if (known && known.inputHash !== inputHash) {
    throw new AppError("IDEMPOTENCY_MISMATCH", "This Idempotency-Key was used with another body. Use a new key.");
  }
  if (storedAnswer) {
    // Safe: only `handle` of this endpoint stores this value.
    const value = endpoint.job ? new Queued(storedAnswer.response as Record<string, unknown>) : storedAnswer.response;
    return { kind: "answered", value };
  }
  return entry && { kind: "outbox", entry, begunBy: "us" };
}

async function beginOutboxEntry(
  db: Db,
  endpoint: AnyEndpoint,
  begun: {
    write: EndpointWrite;
    idempotency: IdempotencyId | undefined;
    inputHash: string;
    result: OutboxEntry;
    text: string | null;
  },
  call: Call,
  deps: Deps,
): Promise<WriteOutcome> {
  const { write, idempotency, inputHash, result, text } = begun;
  const { raw, at, granted, target } = write;
  const { userId, organizationId, workspaceId } = granted;
  if (userId === null || organizationId === null) {
    throw new Error(`${endpoint.name} does work outside the store, which is reserved for endpoints of an organization`);
  }
  const inProgress = await findOutboxEntryBySubject(db, endpoint.name, result.subjectId);
  if (inProgress) {
    return {
      kind: "outbox",
      entry: inProgress,
      begunBy: isDeepStrictEqual(inProgress.plan, result.plan) ? "same" : "other",
    };
  }
  const audit = createAuditRow(endpoint, raw, call, { at, granted, target, outcome: "begun" }, deps.newId());
  const entry: OutboxRow = {
    id: deps.newId(),
    organizationId,
    workspaceId,
    endpoint: endpoint.name,
    subjectId: result.subjectId,
    userId,
    idempotencyKey: idempotency?.key ?? null,
    inputHash,
    plan: result.plan,
    audit: { ...audit, text },
    createdAt: at,
  };
  await insertOutboxEntry(db, entry);
  await enqueueBackgroundJob(
    { db, organizationId, workspaceId },
    {
      id: deps.newId(),
      kind: "finish_outbox_entry",
      subjectId: entry.id,
      at,
      notBefore: addMs(at, deps.outboxRecoveryMs),
    },
  );
  return { kind: "outbox", entry, begunBy: "us" };
}

function getIdempotencyId(endpoint: AnyEndpoint, granted: AuthorisedIds, call: Call): IdempotencyId | undefined {
  if (endpoint.access === "public") return undefined;
  if (call.idempotencyKey === undefined || endpoint.method !== "POST" || granted.userId === null) return undefined;
  return { userId: granted.userId, endpoint: endpoint.name, key: call.idempotencyKey };
}

const [MAX_WAIT_MS, MIN_PAUSE_MS, MAX_PAUSE_MS] = [30_000, 10, 100];

/** Returns the job's result, or the queued state if the caller does not wait. */
export async function awaitJob(
  endpoint: AnyEndpoint,
  queued: Queued,
  { organizationId, workspaceId }: AuthorisedIds,
  call: Call,
  deps: Deps,
): Promise<unknown> {
  if (call.respondAsync || !endpoint.job) return queued;
  const { job } = endpoint;
  const tenant = { organizationId: organizationId ?? "", workspaceId: workspaceId ?? "" };
  const until = performance.now() + (job.waitMs ?? MAX_WAIT_MS);
  let pauseMs = MIN_PAUSE_MS;
  while (performance.now() < until && !deps.outside.closingSignal.aborted) {
    const completed: unknown = await deps.store.read((db) => job.findResult(queued.body, { db, ...tenant }));
    if (completed === null) return queued;
    if (completed !== undefined) return filterOutput(endpoint, completed);
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS);
  }
  return queued;
}
