import type { Granted, TargetIds } from "../../auth/authorise.ts";
import { insertAuditRows } from "../../db/identity/audit.ts";
import { enqueueBackgroundJob } from "../../db/engine/background-jobs.ts";
import { findErrandByKey, findErrandOf, insertErrand, type ErrandRow } from "../../db/engine/errands.ts";
import { findFirstAnswer, insertFirstAnswer, type IdempotencyId } from "../../db/engine/idempotency.ts";
import type { Db } from "../../db/engine/store.ts";
import { Errand, type AnyEndpoint } from "../../tools/endpoint.ts";
import { callRow, hashOf } from "./call-row.ts";
import { contextOf } from "./context.ts";
import { AppError } from "../../core/errors.ts";
import { later, type Instant } from "../../core/time.ts";
import { finishErrand } from "./errands.ts";
import { filterOutput } from "./filter-output.ts";
import type { Call, Deps } from "./invoke.ts";
import type { Input } from "./parse-input.ts";

/** A write that may be done: who asks was admitted, and what they ask is valid. */
export interface Write {
  raw: Record<string, unknown>;
  input: Input;
  at: Instant;
  granted: Granted;
  target: TargetIds;
}

type Turn =
  | { kind: "answered"; value: unknown }
  | { kind: "refused"; refusal: AppError }
  /** Work outside the store: ours to do, or somebody else's to wait for. */
  | { kind: "errand"; errand: ErrandRow; isOurs: boolean };

/** Does a write in one transaction, or in two with work outside the store between them. */
export async function transact(endpoint: AnyEndpoint, write: Write, call: Call, deps: Deps): Promise<unknown> {
  for (;;) {
    const turn = await deps.store.write((db) => takeTurn(db, endpoint, write, call, deps));
    if (turn.kind === "refused") throw turn.refusal;
    deps.wakeWorker();
    if (turn.kind === "answered") return turn.value;
    const end = await finishErrand(turn.errand, deps);
    if (turn.isOurs && end.kind === "answered") return end.value;
    // Whoever waited for work that found nobody there would find nobody either.
    if (end.kind === "refused" && (turn.isOurs || end.refusal.status >= 500)) throw end.refusal;
  }
}

async function takeTurn(db: Db, endpoint: AnyEndpoint, write: Write, call: Call, deps: Deps): Promise<Turn> {
  const { raw, input, at, granted, target } = write;
  const idempotency = idempotencyOf(endpoint, granted, call);
  const inputHash = idempotency ? hashOf(input) : "";
  const repeated = idempotency && (await findRepeated(db, idempotency, inputHash));
  if (repeated) return repeated;
  try {
    const cost = { credits: null as number | null };
    const recordCost = (credits: number) => void (cost.credits = credits);
    const result = await endpoint.handle(input, { ...contextOf(db, granted, call, deps, at), recordCost });
    if (result instanceof Errand)
      return await beginErrand(db, endpoint, { write, idempotency, inputHash, result }, call, deps);
    const value = await filterOutput(endpoint, result);
    const response = endpoint.withoutSecrets ? endpoint.withoutSecrets(value) : value;
    if (idempotency) await insertFirstAnswer(db, idempotency, { inputHash, response, createdAt: at });
    const row = callRow(endpoint, raw, call, { at, granted, target, outcome: "ok" }, deps.newId());
    await insertAuditRows(db, [{ ...row, costCredits: cost.credits }]);
    return { kind: "answered", value };
  } catch (error) {
    if (error instanceof AppError && error.keepWrites) return { kind: "refused", refusal: error };
    throw error;
  }
}

/** What an earlier call with this Idempotency-Key came to, or is still coming to. */
async function findRepeated(db: Db, idempotency: IdempotencyId, inputHash: string): Promise<Turn | undefined> {
  const first = await findFirstAnswer(db, idempotency);
  const errand = first ? undefined : await findErrandByKey(db, idempotency);
  const known = first ?? errand;
  if (known && known.inputHash !== inputHash) {
    throw new AppError("IDEMPOTENCY_MISMATCH", "This Idempotency-Key was used with another body. Use a new key.");
  }
  if (first) return { kind: "answered", value: first.response };
  return errand && { kind: "errand", errand, isOurs: true };
}

async function beginErrand(
  db: Db,
  endpoint: AnyEndpoint,
  begun: { write: Write; idempotency: IdempotencyId | undefined; inputHash: string; result: Errand },
  call: Call,
  deps: Deps,
): Promise<Turn> {
  const { write, idempotency, inputHash, result } = begun;
  const { raw, at, granted, target } = write;
  const { userId, organizationId, workspaceId } = granted;
  if (userId === null || organizationId === null) {
    throw new Error(`${endpoint.name} does work outside the store, which only endpoints of an organization can`);
  }
  const underWay = await findErrandOf(db, endpoint.name, result.subjectId);
  if (underWay) return { kind: "errand", errand: underWay, isOurs: false };
  const errand: ErrandRow = {
    id: deps.newId(),
    organizationId,
    workspaceId,
    endpoint: endpoint.name,
    subjectId: result.subjectId,
    userId,
    idempotencyKey: idempotency?.key ?? null,
    inputHash,
    plan: result.plan,
    audit: callRow(endpoint, raw, call, { at, granted, target, outcome: "begun" }, deps.newId()),
    createdAt: at,
  };
  await insertErrand(db, errand);
  await enqueueBackgroundJob(
    { db, organizationId, workspaceId },
    { id: deps.newId(), kind: "finish_errand", subjectId: errand.id, at, notBefore: later(at, deps.errandRecoveryMs) },
  );
  return { kind: "errand", errand, isOurs: true };
}

/** None where nothing is granted to a person: above all no answer that is a token is ever kept for a repeat. */
function idempotencyOf(endpoint: AnyEndpoint, granted: Granted, call: Call): IdempotencyId | undefined {
  if (endpoint.access === "public") return undefined;
  if (call.idempotencyKey === undefined || endpoint.method !== "POST" || granted.userId === null) return undefined;
  return { userId: granted.userId, endpoint: endpoint.name, key: call.idempotencyKey };
}
