import type { Granted } from "../../auth/authorise.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Context } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import type { Instant } from "../../core/time.ts";
import type { Call, Deps } from "./invoke.ts";

/** What an endpoint's `handle` gets besides its input, on this connection. */
export function contextOf(
  db: Db,
  granted: Granted,
  call: Pick<Call, "caller" | "confirmation">,
  deps: Deps,
  now: Instant,
): Context {
  return {
    db,
    endpoints,
    caller: call.caller ?? null,
    tenant: { db, organizationId: granted.organizationId ?? "", workspaceId: granted.workspaceId ?? "" },
    userId: granted.userId ?? "",
    now,
    newId: deps.newId,
    baseUrl: deps.baseUrl,
    prices: deps.prices,
    importLimits: deps.importLimits,
    adapters: deps.adapters,
    keywordPrices: deps.keywordPrices,
    catalogs: deps.catalogs,
    restTokens: deps.restTokens,
    scimTokens: deps.scimTokens,
    sealer: deps.secrets,
    exportLinks: deps.exportLinks,
    hasPartner: deps.outside.partner !== undefined,
    scorer: deps.outside.scorer,
    confirmation: call.confirmation ?? "none",
    recordCost: () => undefined,
    recordPlace: () => undefined,
  };
}
