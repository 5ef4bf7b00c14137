import type { TargetIds } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import { requireRecentSignIn } from "../../auth/recent-sign-in.ts";
import { AppError, invalidInput } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Db } from "../../db/engine/store.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import { isReadEndpoint, type AnyEndpoint, type Context, type QuotePresentation } from "../../tools/endpoint.ts";
import { resolveDates } from "../../tools/metric-reads/selection/date-window.ts";
import { listNamedFields } from "../../tools/name-or-id.ts";
import { JsonBytes } from "../reads/json-bytes.ts";
import type { Selection } from "../reads/read-messages.ts";
import { admit, createContext, targetIds } from "./admit.ts";
import { createAuditRow, isFromConsole, recordFailedCall } from "./audit.ts";
import type { Call, Deps } from "./deps.ts";
import { resolveNames, parseInput, parsePath, type Input } from "./parse-input.ts";
import { beginRead, finishRead, longPoll, NOT_HANDLED, type StartedRead } from "./run-read.ts";
import { runWrite } from "./run-write.ts";

/**
 * Runs an endpoint: authorises, parses, transacts, audits and filters the output. REST, tools and
 * pages all use it, so no interface skips a check. Throws AppError.
 */
export async function invoke(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
): Promise<unknown> {
  const result = await invokeEncoded(endpoint, raw, call, deps);
  return result instanceof JsonBytes ? result.value() : result;
}

/**
 * Like `invoke`, but returns JsonBytes if the worker process has already encoded the result (the
 * tool's result for a call with `selection`), and otherwise NotedOutput for a read with `selection`.
 */
export async function invokeEncoded(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  selection?: Selection,
): Promise<unknown> {
  const at = deps.now();
  const target = targetIds(raw);
  try {
    if (call.caller) requireTarget(endpoint, raw, call);
    // Each poll uses a new snapshot and authorises the caller again.
    const readOnce = () =>
      deps.store.read((db) => admitAndRead(endpoint, raw, call, { db, target, at, deps, selection }));
    const begun = await longPoll(endpoint, readOnce, call, deps);
    const { granted, input } = begun;
    if (!isReadEndpoint(endpoint)) return await runWrite(endpoint, { raw, input, at, granted, target }, call, deps);
    const output = await finishRead(endpoint, begun, { at, selection }, call, deps);
    if (!isFromConsole(call))
      deps.audit.add(createAuditRow(endpoint, raw, call, { at, granted, target, outcome: "ok" }, deps.newId()));
    return output;
  } catch (error) {
    const mapped = await mapEndpointError(endpoint, raw, call, deps, error);
    recordFailedCall(endpoint, raw, call, deps, mapped);
    throw mapped;
  }
}

interface CallScope {
  db: Db;
  target: TargetIds;
  at: Instant;
  deps: Deps;
  selection: Selection | undefined;
}

async function admitAndRead(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  { db, target, at, deps, selection }: CallScope,
): Promise<StartedRead> {
  const granted = await admit(endpoint, target, call, { db, deps });
  const context = createContext(db, granted, call, deps, at);
  const input = await readInput(endpoint, raw, call, context);
  if (needsRecentSignIn(endpoint, input, call.caller)) requireRecentSignIn(call.caller, at, deps.baseUrl);
  if (isReadEndpoint(endpoint)) return beginRead(endpoint, { input, granted, selection }, context);
  return { granted, input, isHeavy: false, ...NOT_HANDLED };
}

function needsRecentSignIn({ recentSignIn }: AnyEndpoint, input: Input, caller: Caller | undefined): boolean {
  if (typeof recentSignIn !== "function") return recentSignIn === true;
  return caller === undefined || recentSignIn(input, caller);
}

/** Rejects unauthorised calls by the ids in `raw` alone, before the arguments or body are read. */
export async function admitCall(endpoint: AnyEndpoint, raw: Record<string, unknown>, call: Call, deps: Deps) {
  try {
    await deps.store.read(async (db) => {
      const granted = await admit(endpoint, targetIds(raw), call, { db, deps });
      const path = endpoint.admitFile && parsePath(endpoint, raw);
      if (path) await endpoint.admitFile?.(createContext(db, granted, call, deps, deps.now()), path);
    });
  } catch (error) {
    const mapped = await mapEndpointError(endpoint, raw, call, deps, error);
    recordFailedCall(endpoint, raw, call, deps, mapped);
    throw mapped;
  }
}

/**
 * Data for the confirmation of a creation that spends credits. Throws the errors of the creation.
 */
export async function present(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
): Promise<QuotePresentation> {
  try {
    return await deps.store.read(async (db) => {
      if (!endpoint.present) throw new Error(`${endpoint.name} has no price to present`);
      const granted = await admit(endpoint, targetIds(raw), call, { db, deps });
      const context = createContext(db, granted, call, deps, deps.now());
      return endpoint.present(await readInput(endpoint, { ...raw, confirmed: true }, {}, context), context);
    });
  } catch (error) {
    recordFailedCall(endpoint, raw, call, deps, error);
    throw error;
  }
}

export async function decline(endpoint: AnyEndpoint, raw: Record<string, unknown>, call: Call, deps: Deps) {
  const [at, target] = [deps.now(), targetIds(raw)];
  const granted = await deps.store.read((db) => admit(endpoint, target, call, { db, deps }));
  await deps.store.write(async (db) => {
    const context = createContext(db, granted, call, deps, at);
    await endpoint.decline?.(await readInput(endpoint, { ...raw, confirmed: true }, {}, context), context);
    const end = { at, granted, target, outcome: "declined" };
    await insertAuditRows(db, [createAuditRow(endpoint, raw, call, end, deps.newId())]);
  });
}

async function readInput(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  { parseError }: Pick<Call, "parseError">,
  context: Context,
): Promise<Input> {
  if (parseError) throw parseError;
  const input = resolveDates(parseInput(endpoint, raw), context.now);
  return resolveNames(listNamedFields(endpoint.input), input, context);
}

/** Reports missing query ids as such instead of NOT_FOUND for the organization. */
function requireTarget(endpoint: AnyEndpoint, raw: Record<string, unknown>, { parseError }: Call): void {
  const shape: object = endpoint.input.shape;
  // Skips other endpoints, where `client_id` is the OAuth client and the organization is in the
  // path.
  if ("organization_id" in shape) return;
  const missing = ["client_id", "project_id"].filter((key) => key in shape && (raw[key] ?? "") === "");
  if (missing.length > 0) throw parseError ?? invalidInput(missing.map((path) => ({ path, message: "is required" })));
}

/** Error statuses that an endpoint may map to its own codes and fields. */
const TRANSLATED_STATUSES: ReadonlySet<number> = new Set([400, 409, 422, 502, 503]);

/**
 * Applies the endpoint's `mapError` if the caller may see the target. Returns the error itself
 * otherwise, or if the store is unavailable.
 */
export async function mapEndpointError(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  error: unknown,
): Promise<unknown> {
  if (!endpoint.mapError || !(error instanceof AppError)) return error;
  if (error.details !== undefined || !TRANSLATED_STATUSES.has(error.status)) return error;
  try {
    return await deps.store.read(async (db) => {
      const granted = await admit(endpoint, targetIds(raw), call, { db, deps, isWrite: false });
      const context = createContext(db, granted, call, deps, deps.now());
      return (await endpoint.mapError?.(error, parsePath(endpoint, raw), context)) ?? error;
    });
  } catch {
    return error;
  }
}
