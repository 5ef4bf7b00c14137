import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { AppError } from "../../core/errors.ts";
import { admit } from "./admit.ts";
import { contextOf } from "./context.ts";
import type { Call, Deps } from "./invoke.ts";
import { parsePath } from "./parse-input.ts";
import { targetIds } from "./target-ids.ts";

/** Statuses of refusals that an endpoint may say in codes and fields of its own. */
const OWN: ReadonlySet<number> = new Set([400, 409, 422, 502, 503]);

/**
 * The refusal as the endpoint's own `refuse` says it, if it has one and the caller may see what it is about. The error itself
 * otherwise, also where the store cannot be read.
 */
export async function ownRefusal(
  endpoint: AnyEndpoint,
  raw: Record<string, unknown>,
  call: Call,
  deps: Deps,
  error: unknown,
): Promise<unknown> {
  if (!endpoint.refuse || !(error instanceof AppError)) return error;
  if (error.details !== undefined || !OWN.has(error.status)) return error;
  try {
    return await deps.store.read(async (db) => {
      const granted = await admit(endpoint, targetIds(raw), call, { db, deps, changes: false });
      const context = contextOf(db, granted, call, deps, deps.now());
      return (await endpoint.refuse?.(error, parsePath(endpoint, raw), context)) ?? error;
    });
  } catch {
    return error;
  }
}
