import { hash } from "node:crypto";
import { authorise, type Granted, type TargetIds } from "../auth/authorise.ts";
import type { Caller } from "../auth/caller.ts";
import type { RestTokens } from "../auth/rest-tokens.ts";
import type { ToolTokens } from "../auth/tool-tokens.ts";
import { insertAuditRows, type AuditRow } from "../db/audit.ts";
import { findFirstAnswer, insertFirstAnswer } from "../db/idempotency.ts";
import type { Db, Store } from "../db/store.ts";
import {
  reads,
  scopeOf,
  type AnyEndpoint,
  type Confirmation,
  type Context,
  type Presentation,
} from "../tools/endpoint.ts";
import type { AuditBuffer } from "./audit.ts";
import { AppError, invalidInput } from "./core/errors.ts";
import type { SourceAdapters } from "./core/adapters.ts";
import type { PriceTable } from "./core/prices.ts";
import type { Instant } from "./core/time.ts";
import { filterOutput } from "./filter-output.ts";
import { parseInput, type Input } from "./parse-input.ts";

/** What every call needs of the process. */
export interface Deps {
  store: Store;
  audit: AuditBuffer;
  now: () => Instant;
  newId: () => string;
  prices: PriceTable;
  adapters: SourceAdapters;
  /** Tells this process's worker that something was committed which it may have to work on. */
  wakeWorker: () => void;
  restTokens: RestTokens;
  toolTokens: ToolTokens;
}

/** One call, as its door decoded it. */
export interface Call {
  caller: Caller | undefined;
  requestId: string;
  idempotencyKey?: string | undefined;
  confirmation?: Confirmation;
}

/**
 * The only way in: authorise, parse, transact, audit, filter the output. Every door calls it, so none can skip a check.
 * Throws AppError; anything else that is thrown is a fault of ours.
 */
export async function invoke(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
): Promise<unknown> {
  const at = deps.now();
  const target = targetIds(raw);
  try {
    if (call.caller) refuseUnnamedTarget(endpoint, raw);
    const granted = await admit(endpoint, target, call, deps);
    const input = parseInput(endpoint, raw);
    if (reads(endpoint)) {
      const result = await endpoint.handle(input, context(deps.store.read, granted, call, deps, at));
      const output = await filterOutput(endpoint, result);
      deps.audit.add(auditRow(endpoint, raw, call, { at, granted, target, outcome: "ok" }, deps));
      return output;
    }
    return await transact(endpoint, { raw, input, at, granted, target }, call, deps);
  } catch (error) {
    recordCall(endpoint, raw, call, deps, outcomeOf(error));
    throw error;
  }
}

/** Leaves the audit row of a call that ended before, or without, its endpoint's `handle`. */
export function recordCall(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  outcome: string,
): void {
  const end = { at: deps.now(), granted: null, target: targetIds(raw), outcome };
  deps.audit.add(auditRow(endpoint, raw, call, end, deps));
}

export function outcomeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "INTERNAL";
}

/** What a person must see before a creation that spends credits; refuses whatever the creation itself would refuse. */
export async function present(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
): Promise<Presentation> {
  if (!endpoint.present) throw new Error(`${endpoint.name} spends nothing, so there is nothing to present`);
  try {
    const granted = await admit(endpoint, targetIds(raw), call, deps);
    const input = parseInput(endpoint, { ...raw, confirmed: true });
    return await endpoint.present(input, context(deps.store.read, granted, call, deps, deps.now()));
  } catch (error) {
    recordCall(endpoint, raw, call, deps, outcomeOf(error));
    throw error;
  }
}

/** Notes a person's no to what was presented, in a transaction with its audit row. */
export async function decline(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
): Promise<void> {
  const [at, target] = [deps.now(), targetIds(raw)];
  const granted = await admit(endpoint, target, call, deps);
  const input = parseInput(endpoint, { ...raw, confirmed: true });
  await deps.store.write(async (db) => {
    await endpoint.decline?.(input, context(db, granted, call, deps, at));
    await insertAuditRows(db, [auditRow(endpoint, raw, call, { at, granted, target, outcome: "declined" }, deps)]);
  });
}

async function admit(endpoint: AnyEndpoint, target: TargetIds, call: Call, deps: Deps): Promise<Granted> {
  return authorise({ access: endpoint.access, scope: scopeOf(endpoint) }, target, call.caller, deps.store.read);
}

interface Work {
  raw: Record<string, unknown>;
  input: Input;
  at: Instant;
  granted: Granted;
  target: TargetIds;
}

async function transact(endpoint: AnyEndpoint, work: Work, call: Call, deps: Deps): Promise<unknown> {
  const { raw, input, at, granted, target } = work;
  const outcome = await deps.store.write(async (db) => {
    const idempotency = idempotencyOf(endpoint, granted, call);
    const inputHash = idempotency ? hashOf(input) : "";
    const first = idempotency && (await findFirstAnswer(db, idempotency));
    if (first) {
      if (first.inputHash === inputHash) return { value: first.response };
      throw new AppError("IDEMPOTENCY_MISMATCH", "This Idempotency-Key was used with another body. Use a new key.");
    }
    try {
      const cost = { credits: null as number | null };
      const recordCost = (credits: number) => void (cost.credits = credits);
      const handed = { ...context(db, granted, call, deps, at), recordCost };
      const value = await filterOutput(endpoint, await endpoint.handle(input, handed));
      const response = endpoint.withoutSecrets ? endpoint.withoutSecrets(value) : value;
      if (idempotency) await insertFirstAnswer(db, idempotency, { inputHash, response, createdAt: at });
      await insertAuditRows(db, [
        { ...auditRow(endpoint, raw, call, { at, granted, target, outcome: "ok" }, deps), costCredits: cost.credits },
      ]);
      return { value };
    } catch (error) {
      if (error instanceof AppError && error.keepWrites) return { refusal: error };
      throw error;
    }
  });
  if ("refusal" in outcome) throw outcome.refusal;
  deps.wakeWorker();
  return outcome.value;
}

function idempotencyOf(endpoint: AnyEndpoint, granted: Granted, call: Call) {
  if (call.idempotencyKey === undefined || endpoint.method !== "POST" || granted.userId === null) return undefined;
  return { userId: granted.userId, endpoint: endpoint.name, key: call.idempotencyKey };
}

function context(db: Db, granted: Granted, call: Call, deps: Deps, now: Instant): Context {
  return {
    db,
    caller: call.caller ?? null,
    tenant: { db, organizationId: granted.organizationId ?? "", workspaceId: granted.workspaceId ?? "" },
    userId: granted.userId ?? "",
    now,
    newId: deps.newId,
    prices: deps.prices,
    adapters: deps.adapters,
    restTokens: deps.restTokens,
    confirmation: call.confirmation ?? "none",
    recordCost: () => undefined,
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The ids that a request names its target with; what is not a UUID names nothing. */
function targetIds(raw: Record<string, unknown>): TargetIds {
  const idAt = (key: string) => {
    const value = raw[key];
    return typeof value === "string" && UUID.test(value) ? value.toLowerCase() : null;
  };
  return {
    organizationId: idAt("organization_id") ?? idAt("client_id"),
    workspaceId: idAt("workspace_id"),
    projectId: idAt("project_id"),
  };
}

/** Ids that stand in the query can be missing: to say so helps more than that an unnamed organization is unknown. */
function refuseUnnamedTarget(endpoint: AnyEndpoint, raw: Record<string, unknown>): void {
  const shape: object = endpoint.input.shape;
  const missing = ["client_id", "project_id"].filter((key) => key in shape && (raw[key] ?? "") === "");
  if (missing.length > 0) throw invalidInput(missing.map((path) => ({ path, message: "is required" })));
}

function hashOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}

interface Outcome {
  at: Instant;
  granted: Granted | null;
  target: TargetIds;
  outcome: string;
}

function auditRow(endpoint: AnyEndpoint, raw: Record<string, unknown>, call: Call, end: Outcome, deps: Deps): AuditRow {
  return {
    id: deps.newId(),
    at: end.at,
    organizationId: end.granted?.organizationId ?? end.target.organizationId,
    workspaceId: end.granted?.workspaceId ?? end.target.workspaceId,
    userId: call.caller?.userId ?? null,
    clientId: call.caller?.clientId ?? null,
    door: call.caller?.door ?? "rest",
    endpoint: endpoint.name,
    argumentsHash: hashOf(raw),
    scopes: [...(call.caller?.scopes ?? [])].join(" "),
    confirmation: call.confirmation ?? "none",
    costCredits: null,
    outcome: end.outcome,
    requestId: call.requestId,
  };
}
