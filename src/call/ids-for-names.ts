import { authorise } from "../../auth/authorise.ts";
import { wayInOf, type Caller } from "../../auth/caller.ts";
import { listWorkspacesOf } from "../../db/catalog/workspaces.ts";
import type { Db } from "../../db/engine/store.ts";
import { listOrganizationsOf } from "../../db/identity/organizations.ts";
import { listProjectsOf } from "../../db/measuring/projects.ts";
import { KIND_OF_ID, namedFields, type NamedField } from "../../tools/name-or.ts";
import { scopeOf, type AnyEndpoint } from "../../tools/endpoint.ts";
import type { Named } from "../../core/names.ts";
import { admit } from "./admit.ts";
import { contextOf } from "./context.ts";
import type { Call, Deps } from "./invoke.ts";
import { meantBy, nameIds } from "./name-ids.ts";
import type { Input } from "./parse-input.ts";
import { recordRefusal } from "./record-call.ts";
import { isId, targetIds } from "./target-ids.ts";

/**
 * The arguments of a tool with ids where they have names, among what the caller may read: first those of organization, workspace
 * and analysis, which decide what that is, then, once the call is admitted there, the others. Where all are ids, as
 * programs send them, nothing is read. What is refused leaves an audit row.
 */
export async function idsForNames(endpoint: AnyEndpoint, raw: Input, call: Call, deps: Deps): Promise<Input> {
  const { caller } = call;
  const targets = TARGETS.filter((field) => field in endpoint.input.shape && isName(raw[field]));
  const others = othersIn(endpoint, raw);
  if (!caller || targets.length + others.length === 0) return raw;
  try {
    return await deps.store.read(async (db) => {
      // Names are told of nothing to who may not call this at all.
      await authorise({ access: "signed-in", scope: scopeOf(endpoint), changes: false }, targetIds({}), caller, db);
      let input = raw;
      for (const field of targets) input = await withTarget(field, input, caller, db);
      if (others.length === 0) return input;
      const granted = await admit(endpoint, targetIds(input), call, { db, deps });
      const context = contextOf(db, granted, call, deps, deps.now());
      const analysis = others.filter(({ kind }) => kind === "analysis");
      const rest = others.filter(({ kind }) => kind !== "analysis");
      return nameIds(rest, await nameIds(analysis, input, context), context);
    });
  } catch (error) {
    recordRefusal(endpoint, raw, call, deps, error);
    throw error;
  }
}

/** What says where a call is, in the order in which one is within the other. */
const TARGETS = ["organization_id", "client_id", "workspace_id", "project_id"] as const;
type Target = (typeof TARGETS)[number];

const MOST_LETTERS = 255;
const MOST_VALUES = 100;

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= MOST_LETTERS && value.isWellFormed() && !isId(value);
}

/** The other fields that have a name where the endpoint takes only an id. */
function othersIn(endpoint: AnyEndpoint, raw: Input): NamedField[] {
  const alike = new Set(namedFields(endpoint.input).map(({ field }) => field));
  return Object.entries(KIND_OF_ID).flatMap(([field, kind]) => {
    const isOther = field in endpoint.input.shape && !alike.has(field) && field !== "project_id";
    const values = [raw[field]].flat();
    const isNamed =
      values.length <= MOST_VALUES && values.some(isName) && values.every((value) => isName(value) || isId(value));
    return isOther && isNamed ? [{ field, kind }] : [];
  });
}

/** The input with the id of where the call is. What the caller can see nothing of stays, and is not found. */
async function withTarget(field: Target, input: Input, caller: Caller, db: Db): Promise<Input> {
  const among = await listTargets(field, input, caller, db);
  if (among.length === 0) return input;
  return meantBy(input, [{ path: field, kind: KIND_OF_TARGET[field], value: String(input[field]) }], among);
}

const KIND_OF_TARGET = {
  organization_id: "organization",
  client_id: "organization",
  workspace_id: "workspace",
  project_id: "analysis",
} as const;

/** As many as are looked through; an account sees a few. */
const MOST_LISTED = 5000;
const PAGE = { limit: MOST_LISTED, after: null };

/** The organizations, workspaces or analyses that the caller can see where the call is. */
async function listTargets(field: Target, input: Input, caller: Caller, db: Db): Promise<Named[]> {
  const { userId, reach } = caller;
  const wayIn = wayInOf(caller);
  if (field === "organization_id" || field === "client_id") {
    const rows = await listOrganizationsOf(db, { userId, ...wayIn }, reach?.organizationId ?? null, PAGE);
    return rows.map(({ organization }) => organization);
  }
  const { organizationId } = targetIds(input);
  if (organizationId === null) return [];
  const workspaceId = reach?.workspaceId ?? null;
  const bounds = { organizationId, workspaceId, includeArchived: true, wayIn };
  const workspaces = (await listWorkspacesOf(db, userId, bounds, PAGE)).map(({ workspace }) => workspace);
  if (field === "workspace_id") return workspaces;
  const seen = new Set(workspaces.map(({ id }) => id));
  const projects = await listProjectsOf({ db, organizationId }, { userId, workspaceId }, PAGE);
  return projects.map(({ analysis }) => analysis).filter((one) => seen.has(one.workspaceId));
}
