import { authorise, type AuthorisedIds, type TargetIds } from "../../auth/authorise.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Db } from "../../db/engine/store.ts";
import { isReadEndpoint, getScope, type AnyEndpoint, type Context } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import type { Call, Deps } from "./deps.ts";

export function admit(
  endpoint: AnyEndpoint,
  target: TargetIds,
  call: Call,
  {
    db,
    deps,
    isWrite = !isReadEndpoint(endpoint) && endpoint.isAllowedWhenArchived !== true,
  }: { db: Db; deps: Deps; isWrite?: boolean },
): Promise<AuthorisedIds> {
  const need = { access: endpoint.access, scope: getScope(endpoint), isWrite: isWrite, baseUrl: deps.baseUrl };
  return authorise(need, target, call.caller, db);
}

export function createContext(
  db: Db,
  granted: AuthorisedIds,
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
    recordAuditTenant: () => undefined,
  };
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID_PATTERN.test(value);
}

/** Reads the target ids from the request; null for anything that is not a UUID. */
export function targetIds(raw: Record<string, unknown>): TargetIds {
  const idAt = (key: string) => {
    const value = raw[key];
    return isId(value) ? value.toLowerCase() : null;
  };
  return {
    organizationId: idAt("organization_id") ?? idAt("client_id"),
    workspaceId: idAt("workspace_id"),
    projectId: idAt("project_id"),
  };
}
