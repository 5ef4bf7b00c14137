import { authorise } from "../../auth/authorise.ts";
import { wayInOf, type Caller } from "../../auth/caller.ts";
import { AppError, invalidInput, type FieldError } from "../../core/shared/errors.ts";
import { meaningsIn, nearestIn, type Named } from "../../core/shared/names.ts";
import { MAX_SUGGESTED_FIELDS } from "../../core/shared/request-bounds.ts";
import { listWorkspacesOf } from "../../db/catalog/workspaces.ts";
import type { Db } from "../../db/engine/store.ts";
import { listOrganizationsOf } from "../../db/identity/organizations.ts";
import { listProjectsOf } from "../../db/analyses/projects.ts";
import { scopeOf, type AnyEndpoint, type Context } from "../../tools/endpoint.ts";
import { findNamed, KIND_OF_ID, listNamed, namedFields, type NamedField, type NamedKind } from "../../tools/name-or.ts";
import { admit, contextOf, isId, targetIds } from "./admit.ts";
import { recordRefusal } from "./audit.ts";
import type { Call, Deps } from "./deps.ts";
import type { Input } from "./parse-input.ts";

/** One value of a field that takes a name or an id. */
interface Given {
  path: string;
  /** What it is of, as people call it. */
  kind: string;
  value: string;
}

/**
 * The input with ids for the names in these fields, among what the caller may read, by one query per kind. A value that means
 * nothing is refused with those that can be given, so that it is not taken for a thing without data; one that means several with
 * their ids.
 */
export async function nameIds(fields: readonly NamedField[], input: Input, { tenant }: Context): Promise<Input> {
  if (fields.length === 0) return input;
  const analysisId = input["project_id"] ?? input["analysis_id"];
  const place = { tenant, analysisId: typeof analysisId === "string" ? analysisId : "" };
  const meant = new Map<Given, Named[]>();
  const unknown: FieldError[] = [];
  for (const kind of new Set(fields.map((one) => one.kind))) {
    const ofKind = fields.filter((one) => one.kind === kind).flatMap(({ field }) => givenIn(input[field], field, kind));
    if (ofKind.length === 0) continue;
    const values = ofKind.map(({ value }) => value);
    let meanings = meaningsIn(await findNamed(kind, place, values));
    if (values.some((value) => meanings(value).length === 0)) {
      const all = await listNamed(kind, place);
      meanings = meaningsIn(all);
      unknown.push(...refusalsOf(ofKind, meanings, all, MAX_SUGGESTED_FIELDS - unknown.length));
    }
    for (const one of ofKind) meant.set(one, meanings(one.value));
  }
  if (unknown.length > 0) throw invalidInput(unknown);
  refuseAmbiguous(meant);
  return withIds(input, meant);
}

/** The input with the ids of what these values mean among all that there is. */
export function meantBy(input: Input, given: readonly Given[], all: readonly Named[]): Input {
  const meanings = meaningsIn(all);
  const unknown = refusalsOf(given, meanings, all);
  if (unknown.length > 0) throw invalidInput(unknown);
  const meant = new Map(given.map((one) => [one, meanings(one.value)]));
  refuseAmbiguous(meant);
  return withIds(input, meant);
}

/** Errors of the values that mean nothing, with the nearest names for the first `suggested`: for each, all names are compared. */
function refusalsOf(
  given: readonly Given[],
  meanings: (value: string) => readonly Named[],
  all: readonly Named[],
  suggested = MAX_SUGGESTED_FIELDS,
): FieldError[] {
  const nearest = nearestIn(all);
  return given
    .filter(({ value }) => meanings(value).length === 0)
    .map(({ path, kind, value }, at) => {
      const isSuggested = at < suggested;
      const message = `is no ${kind.replaceAll("_", " ")} here${isSuggested ? "; give one of allowed" : ""}`;
      return { path, message, ...(isSuggested && nearest(value)) };
    });
}

function givenIn(value: unknown, field: string, kind: NamedKind): Given[] {
  if (typeof value === "string") return [{ path: field, kind, value }];
  if (!Array.isArray(value)) return [];
  return value.map((one: string, at) => ({ path: `${field}.${at}`, kind, value: one }));
}

function refuseAmbiguous(meant: ReadonlyMap<Given, Named[]>): void {
  const fields = [...meant]
    .filter(([, found]) => found.length > 1)
    .map(([{ path }, found]): FieldError => {
      // Names that differ in case tell them apart, equal ones do not.
      const names = new Set(found.map(({ name }) => name));
      const allowed = names.size === found.length ? [...names] : found.map(({ id }) => id);
      return { path, message: "is the name of several; give one of allowed", allowed, allowed_count: allowed.length };
    });
  if (fields.length === 0) return;
  throw new AppError("AMBIGUOUS", "A name stands for several things. Give one of those that are allowed.", { fields });
}

function withIds(input: Input, meant: ReadonlyMap<Given, Named[]>): Input {
  const ids = new Map([...meant].map(([{ path }, [one]]) => [path, one?.id]));
  const idAt = (path: string, value: unknown) => ids.get(path) ?? value;
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map((one, at) => idAt(`${field}.${at}`, one)) : idAt(field, value),
    ]),
  );
}

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

/** Parameters that name the target of a call, outermost first. */
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

/** Max rows that a name is searched in. */
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
