import { authorise, type Granted, type KnownStanding, type TargetIds } from "../../auth/authorise.ts";
import type { Db } from "../../db/engine/store.ts";
import { reads, scopeOf, type AnyEndpoint } from "../../tools/endpoint.ts";
import type { Call, Deps } from "./invoke.ts";

/** What the caller may do here; throws where they may not call this. */
export function admit(
  endpoint: AnyEndpoint,
  target: TargetIds,
  call: Call,
  {
    db,
    deps,
    changes = !reads(endpoint) && endpoint.takenWhenArchived !== true,
    known,
  }: { db: Db; deps: Deps; changes?: boolean; known?: KnownStanding | undefined },
): Promise<Granted> {
  const need = { access: endpoint.access, scope: scopeOf(endpoint), changes, baseUrl: deps.baseUrl };
  return authorise(need, target, call.caller, db, known);
}
