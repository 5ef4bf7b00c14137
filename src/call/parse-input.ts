import { z } from "zod";
import { authorise, getCredentialReach } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import { parseWithinBounds } from "../../core/shared/bounded-parse.ts";
import { AppError, invalidInput, type FieldError } from "../../core/shared/errors.ts";
import { createNameResolver, createNameSuggester, type Named } from "../../core/shared/names.ts";
import { formatIssueMessage } from "../../core/shared/format-issue-message.ts";
import { MAX_SUGGESTED_FIELDS } from "../../core/shared/request-bounds.ts";
import { listVisibleProjects } from "../../db/analyses/projects.ts";
import { listUserWorkspaces } from "../../db/catalog/workspaces.ts";
import type { Db } from "../../db/engine/store.ts";
import { listUserOrganizations } from "../../db/identity/organizations.ts";
import { getScope, type AnyEndpoint, type Context } from "../../tools/endpoint.ts";
import {
  findNamed,
  KIND_BY_ID_FIELD,
  listNamed,
  listNamedFields,
  type NamedField,
  type NamedKind,
} from "../../tools/name-or-id.ts";
import { admit, createContext, isId, targetIds } from "./admit.ts";
import { recordFailedCall } from "./audit.ts";
import type { Call, Deps } from "./deps.ts";

export type Input = Record<string, unknown>;

/** Error messages name invalid fields and the expected values, and never quote the input. */
export function parseInput(endpoint: AnyEndpoint, raw: Record<string, unknown>): Input {
  const unstorable = findUnstorable(raw)?.toReversed().join(".");
  if (unstorable !== undefined)
    throw invalidInput([{ path: unstorable, message: "must not contain NUL or broken Unicode" }]);
  const parsed = parseWithinBounds(endpoint.input, raw, formatIssueMessage);
  if (parsed.success) return parsed.data as Input;
  const fields = parsed.issues.flatMap(toFieldErrors);
  throw invalidInput(fields, fields.length + parsed.count - parsed.issues.length);
}

/** Undefined if any path parameter is invalid. */
export function parsePath(endpoint: AnyEndpoint, raw: Record<string, unknown>): Record<string, string> | undefined {
  const keys = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const path = z.record(z.string(), z.string()).safeParse(Object.fromEntries(keys.map((key) => [key, raw[key]])));
  const fields = endpoint.input.pick(Object.fromEntries(keys.map((key) => [key, true as const])));
  return path.success && fields.safeParse(path.data).success ? path.data : undefined;
}

/** An invalid enum value is answered with all allowed values. */
function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join("."),
      message: "is not a field of this request",
    }));
  }
  const field = { path: issue.path.join("."), message: issue.message };
  const values = issue.code === "invalid_value" ? issue.values.filter((value) => typeof value === "string") : [];
  return [values.length === 0 ? field : { ...field, allowed: values, allowed_count: values.length }];
}

/** Path, innermost first, of the first text with NUL or a lone surrogate. Built only on a match. */
function findUnstorable(value: unknown): string[] | undefined {
  if (typeof value === "string") return isUnstorable(value) ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value) && isUnstorable(key)) return ["(a field name)"];
    const path = findUnstorable((value as Record<string, unknown>)[key]);
    if (path) return [...path, key];
  }
  return undefined;
}

function isUnstorable(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

interface NameOrId {
  path: string;
  kind: string;
  value: string;
}

/**
 * Replaces names by ids among the things that the caller may read, with one query per kind. Rejects
 * unknown names with suggestions and ambiguous names with their ids.
 */
export async function resolveNames(fields: readonly NamedField[], input: Input, { tenant }: Context): Promise<Input> {
  if (fields.length === 0) return input;
  const analysisId = input["project_id"] ?? input["analysis_id"];
  const scope = { tenant, analysisId: typeof analysisId === "string" ? analysisId : "" };
  const meant = new Map<NameOrId, Named[]>();
  const unknown: FieldError[] = [];
  for (const kind of new Set(fields.map((one) => one.kind))) {
    const ofKind = fields
      .filter((one) => one.kind === kind)
      .flatMap(({ field }) => listNamesInField(input[field], field, kind));
    if (ofKind.length === 0) continue;
    const values = ofKind.map(({ value }) => value);
    let meanings = createNameResolver(await findNamed(kind, scope, values));
    if (values.some((value) => meanings(value).length === 0)) {
      const all = await listNamed(kind, scope);
      meanings = createNameResolver(all);
      unknown.push(...listUnknownNameErrors(ofKind, meanings, all, MAX_SUGGESTED_FIELDS - unknown.length));
    }
    for (const one of ofKind) meant.set(one, meanings(one.value));
  }
  return replaceNames(input, meant, unknown);
}

/** Only the first `suggested` errors list the nearest names, because each compares all names. */
function listUnknownNameErrors(
  names: readonly NameOrId[],
  meanings: (value: string) => readonly Named[],
  all: readonly Named[],
  suggested = MAX_SUGGESTED_FIELDS,
): FieldError[] {
  const nearest = createNameSuggester(all);
  return names
    .filter(({ value }) => meanings(value).length === 0)
    .map(({ path, kind, value }, at) => {
      const isSuggested = at < suggested;
      const message = `matches no ${kind.replaceAll("_", " ")}${isSuggested ? "; use one of allowed" : ""}`;
      return { path, message, ...(isSuggested && nearest(value)) };
    });
}

function listNamesInField(value: unknown, field: string, kind: NamedKind): NameOrId[] {
  if (typeof value === "string") return [{ path: field, kind, value }];
  if (!Array.isArray(value)) return [];
  return value.map((one: string, at) => ({ path: `${field}.${at}`, kind, value: one }));
}

function rejectAmbiguous(meant: ReadonlyMap<NameOrId, Named[]>): void {
  const fields = [...meant]
    .filter(([, found]) => found.length > 1)
    .map(([{ path }, found]): FieldError => {
      // Duplicate names are ambiguous, so ids are suggested instead.
      const names = new Set(found.map(({ name }) => name));
      const allowed = names.size === found.length ? [...names] : found.map(({ id }) => id);
      return { path, message: "matches several names; use one of allowed", allowed, allowed_count: allowed.length };
    });
  if (fields.length === 0) return;
  throw new AppError("AMBIGUOUS", "A name matches several things. Give one of the allowed values instead.", { fields });
}

/** Rejects the `unknown` values and ambiguous names. */
function replaceNames(input: Input, meant: ReadonlyMap<NameOrId, Named[]>, unknown: FieldError[]): Input {
  if (unknown.length > 0) throw invalidInput(unknown);
  rejectAmbiguous(meant);
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
 * Replaces names by ids in tool arguments: first organization, workspace and analysis, then, once
 * the caller is admitted there, the other fields. Reads nothing if all are ids. Rejections are
 * audited.
 */
export async function resolveArgumentNames(endpoint: AnyEndpoint, raw: Input, call: Call, deps: Deps): Promise<Input> {
  const { caller } = call;
  const targets = TARGET_FIELDS.filter((field) => field in endpoint.input.shape && isName(raw[field]));
  const others = listOtherNamedFields(endpoint, raw);
  if (!caller || targets.length + others.length === 0) return raw;
  try {
    return await deps.store.read(async (db) => {
      // Checks the scope first, so that a caller without it learns nothing about names.
      await authorise({ access: "signed-in", scope: getScope(endpoint), isWrite: false }, targetIds({}), caller, db);
      let input = raw;
      for (const field of targets) input = await resolveTarget(field, input, caller, db);
      if (others.length === 0) return input;
      const granted = await admit(endpoint, targetIds(input), call, { db, deps });
      const context = createContext(db, granted, call, deps, deps.now());
      const analysis = others.filter(({ kind }) => kind === "analysis");
      const rest = others.filter(({ kind }) => kind !== "analysis");
      return resolveNames(rest, await resolveNames(analysis, input, context), context);
    });
  } catch (error) {
    recordFailedCall(endpoint, raw, call, deps, error);
    throw error;
  }
}

/** Target parameters, outermost first. */
const KIND_OF_TARGET = {
  organization_id: "organization",
  client_id: "organization",
  workspace_id: "workspace",
  project_id: "analysis",
} as const;
type TargetParameter = keyof typeof KIND_OF_TARGET;
const TARGET_FIELDS = Object.keys(KIND_OF_TARGET) as TargetParameter[]; // safe: exactly the keys of the object

const MAX_NAME_LENGTH = 255;
const MAX_NAMES = 100;

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_NAME_LENGTH && value.isWellFormed() && !isId(value);
}

/** Fields in which the tool accepts a name and the endpoint only an id. */
function listOtherNamedFields(endpoint: AnyEndpoint, raw: Input): NamedField[] {
  const alike = new Set(listNamedFields(endpoint.input).map(({ field }) => field));
  return Object.entries(KIND_BY_ID_FIELD).flatMap(([field, kind]) => {
    const isOther = field in endpoint.input.shape && !alike.has(field) && field !== "project_id";
    const values = [raw[field]].flat();
    const isNamed =
      values.length <= MAX_NAMES && values.some(isName) && values.every((value) => isName(value) || isId(value));
    return isOther && isNamed ? [{ field, kind }] : [];
  });
}

/** Leaves names that the caller cannot see, which are then not found. */
async function resolveTarget(field: TargetParameter, input: Input, caller: Caller, db: Db): Promise<Input> {
  const among = await listTargets(field, input, caller, db);
  if (among.length === 0) return input;
  const given = { path: field, kind: KIND_OF_TARGET[field], value: String(input[field]) };
  const meanings = createNameResolver(among);
  return replaceNames(
    input,
    new Map([[given, meanings(given.value)]]),
    listUnknownNameErrors([given], meanings, among),
  );
}

/** Max rows searched for a name. */
const MAX_SEARCHED_ROWS = 5000;
const SEARCH_PAGE = { limit: MAX_SEARCHED_ROWS, after: null };

async function listTargets(field: TargetParameter, input: Input, caller: Caller, db: Db): Promise<Named[]> {
  const { userId, reach } = caller;
  const credentialReach = getCredentialReach(caller);
  if (field === "organization_id" || field === "client_id") {
    const rows = await listUserOrganizations(
      db,
      { userId, ...credentialReach },
      reach?.organizationId ?? null,
      SEARCH_PAGE,
    );
    return rows.map(({ organization }) => organization);
  }
  const { organizationId } = targetIds(input);
  if (organizationId === null) return [];
  const workspaceId = reach?.workspaceId ?? null;
  const bounds = { organizationId, workspaceId, includesArchived: true, credentialReach };
  const workspaces = (await listUserWorkspaces(db, userId, bounds, SEARCH_PAGE)).map(({ workspace }) => workspace);
  if (field === "workspace_id") return workspaces;
  const seen = new Set(workspaces.map(({ id }) => id));
  const projects = await listVisibleProjects({ db, organizationId }, { userId, workspaceId }, SEARCH_PAGE);
  return projects.map(({ analysis }) => analysis).filter((one) => seen.has(one.workspaceId));
}
