import { z } from "zod";
import { authorise } from "../../auth/authorise.ts";
import { AppError, invalidInput, notFound } from "../../core/shared/errors.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { createNameResolver } from "../../core/shared/names.ts";
import { getScope, type AnyEndpoint } from "../../tools/endpoint.ts";
import { KIND_BY_ID_FIELD, listNamedFields, type NamedField } from "../../tools/name-or-id.ts";
import { admit, createContext, isId, targetIds } from "./admit.ts";
import { recordFailedCall } from "./audit.ts";
import type { Call, Deps } from "./deps.ts";
import {
  KIND_BY_TARGET_FIELD,
  listTargets,
  TARGET_FIELDS,
  type Target,
  type TargetKind,
  type TargetParameter,
  type TargetReader,
} from "./list-targets.ts";
import { listUnknownNameErrors, replaceNames, resolveNames, type Input } from "./parse-input.ts";

const toolInputByEndpoint = new WeakMap<AnyEndpoint, z.ZodObject>();

/** Input of an endpoint as a tool; a project's workspace can be named too. */
export function getToolInput(endpoint: AnyEndpoint): z.ZodObject {
  const { access, input } = endpoint;
  const hasProject = typeof access === "object" && "project" in access;
  if (!hasProject) return input;
  const { client_id: organization, ...shape } = input.shape as Record<string, z.ZodType>;
  const workspace = workspacePath.workspace_id.optional();
  const extended =
    toolInputByEndpoint.get(endpoint) ??
    z.strictObject({ ...(organization && { client_id: organization }), workspace_id: workspace, ...shape });
  toolInputByEndpoint.set(endpoint, extended);
  return extended;
}

/** True for a required target, which tools fill in if the caller can mean only one. */
export function isFilledTarget({ access, input }: AnyEndpoint, field: string): boolean {
  if (typeof access !== "object" || !Object.hasOwn(KIND_BY_TARGET_FIELD, field)) return false;
  const schema = (input.shape as Record<string, z.ZodType>)[field];
  return schema !== undefined && !schema.safeParse(undefined).success;
}

export interface ResolvedArguments {
  input: Input;
  filled: readonly string[];
}

/**
 * Replaces names by ids in tool arguments: first organization, workspace and analysis, which are
 * also filled in, then, once the caller is admitted there, the other fields. Reads nothing if all
 * are ids. Rejections are audited.
 */
export async function resolveArguments(
  endpoint: AnyEndpoint,
  raw: Input,
  call: Call,
  deps: Deps,
): Promise<ResolvedArguments> {
  const { caller } = call;
  const others = listOtherNamedFields(endpoint, raw);
  const targets = listToolTargets(endpoint).filter((field) => {
    const value = raw[field];
    if (value === undefined) return isFilledTarget(endpoint, field);
    // A project is also looked up by id, because the workspace of the call may be another one.
    if (isId(value)) return field === "project_id" && raw["workspace_id"] !== undefined;
    return field !== "analysis_id" || !isName(value);
  });
  if (!caller || targets.length + others.length === 0) return { input: removeToolFields(endpoint, raw), filled: [] };
  try {
    return await deps.store.read(async (db) => {
      // Checks the scope first, so that a caller without it learns nothing about names.
      await authorise({ access: "signed-in", scope: getScope(endpoint), isWrite: false }, targetIds({}), caller, db);
      const reader = { endpoint, caller, db };
      const filled: string[] = [];
      let input = raw;
      for (const field of inOrder(targets, raw)) {
        if (raw[field] === undefined) input = await fillTarget(field, input, reader, filled);
        else input = await resolveTarget(field, input, reader);
      }
      input = removeToolFields(endpoint, input);
      if (others.length === 0) return { input, filled };
      const granted = await admit(endpoint, targetIds(input), call, { db, deps });
      const context = createContext(db, granted, call, deps, deps.now());
      const analysis = others.filter(({ kind }) => kind === "analysis");
      const rest = others.filter(({ kind }) => kind !== "analysis");
      return { input: await resolveNames(rest, await resolveNames(analysis, input, context), context), filled };
    });
  } catch (error) {
    recordFailedCall(endpoint, raw, call, deps, error);
    throw error;
  }
}

/** Puts a missing organization last, because its workspace or analysis implies it. */
function inOrder(targets: readonly TargetParameter[], raw: Input): TargetParameter[] {
  const isImplied = (field: TargetParameter) =>
    KIND_BY_TARGET_FIELD[field] === "organization" && raw[field] === undefined;
  return [...targets.filter((field) => !isImplied(field)), ...targets.filter(isImplied)];
}

function listToolTargets(endpoint: AnyEndpoint): TargetParameter[] {
  const { shape } = getToolInput(endpoint);
  return TARGET_FIELDS.filter((field) => field in shape);
}

/** Adds the candidates to NOT_FOUND of an organization, workspace or analysis, as far as the caller may list them. */
export async function nameCandidates(
  endpoint: AnyEndpoint,
  raw: Input,
  { caller }: Call,
  deps: Deps,
  error: unknown,
): Promise<unknown> {
  if (!caller || !(error instanceof AppError) || error.code !== "NOT_FOUND" || error.fields) return error;
  const kind = error.subject === "project" ? "analysis" : error.subject;
  const targets = listToolTargets(endpoint);
  const field = targets.find((one) => KIND_BY_TARGET_FIELD[one] === kind);
  if (!field) return error;
  try {
    return await deps.store.read(async (db) => {
      await authorise({ access: "signed-in", scope: getScope(endpoint), isWrite: false }, targetIds({}), caller, db);
      const reader = { endpoint, caller, db };
      let input = raw;
      for (const outer of targets.slice(0, targets.indexOf(field)))
        if (isName(input[outer])) input = await resolveTarget(outer, input, reader);
      const among = await listTargets(KIND_BY_TARGET_FIELD[field], input, reader);
      if (among.length === 0) return error;
      const { fields } = createTargetError(field, among, "is not found; use one of allowed");
      return new AppError("NOT_FOUND", error.message, { fields, subject: error.subject, cause: error });
    });
  } catch {
    return error;
  }
}

function removeToolFields({ input: { shape } }: AnyEndpoint, input: Input): Input {
  const { workspace_id: _, ...rest } = input;
  return "workspace_id" in input && !("workspace_id" in (shape as object)) ? rest : input;
}

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

/** Leaves names where the caller sees nothing; they are then not found. */
async function resolveTarget(field: TargetParameter, input: Input, reader: TargetReader): Promise<Input> {
  const kind = KIND_BY_TARGET_FIELD[field];
  const among = await listTargets(kind, input, reader);
  if (among.length === 0 && isId(input[field])) throw notFound(kind);
  if (among.length === 0) return input;
  const value = input[field];
  if (!isId(value) && !isName(value)) throw createTargetError(field, among, "must be a name or an id");
  const given = { path: field, kind, value };
  const meanings = createNameResolver(among);
  return replaceNames(
    input,
    new Map([[given, meanings(given.value)]]),
    listUnknownNameErrors([given], meanings, among),
  );
}

const hasInnerTarget = ({ input: { shape } }: AnyEndpoint) => "workspace_id" in shape || "project_id" in shape;

const MAX_NAMED_CANDIDATES = 5;

/** Fills in the only candidate. Leaves the field if its organization or workspace is not visible. */
async function fillTarget(
  field: TargetParameter,
  input: Input,
  reader: TargetReader,
  filled: string[],
): Promise<Input> {
  const kind = KIND_BY_TARGET_FIELD[field];
  const all = (await listTargets(kind, input, reader)).filter(({ isArchived }) => !isArchived);
  const { fitting, reason } =
    all.length > 1 ? await keepFitting(kind, all, input, reader) : { fitting: all, reason: "" };
  const [only] = fitting;
  if (only && fitting.length === 1) {
    const isImplied = kind === "organization" && hasInnerTarget(reader.endpoint);
    if (!isImplied)
      filled.push(`${kind.replace(/^./, (letter) => letter.toUpperCase())}: ${only.name}, the only one${reason}.`);
    return { ...input, [field]: only.id };
  }
  if (all.length === 0 && !(await isSurroundingVisible(kind, input, reader))) {
    // Search metrics report a missing project before they look at the organization.
    if (field === "project_id") throw notFound("organization");
    return input;
  }
  throw createMissingError(field, fitting.length > 0 ? fitting : all);
}

function createMissingError(path: TargetParameter, among: readonly Target[]): AppError {
  const kind = KIND_BY_TARGET_FIELD[path];
  const list = `list_${kind === "analysis" ? "analyses" : `${kind}s`}`;
  if (among.length === 0) return invalidInput([{ path, message: `is missing, and ${list} has none for this call` }]);
  return createTargetError(path, among, `is missing, and there are several; ${list} lists them`);
}

function createTargetError(path: TargetParameter, among: readonly Target[], message: string): AppError {
  const names = new Set(among.map(({ name }) => name));
  const allowed = (names.size === among.length ? [...names] : among.map(({ id }) => id)).slice(0, MAX_NAMED_CANDIDATES);
  return invalidInput([{ path, message, allowed, allowed_count: among.length }]);
}

async function keepFitting(kind: TargetKind, all: readonly Target[], input: Input, reader: TargetReader) {
  let [fitting, reason] = [all, ""];
  const kinds = TARGET_FIELDS.map((field) => KIND_BY_TARGET_FIELD[field]);
  for (const inner of TARGET_FIELDS.slice(kinds.lastIndexOf(kind) + 1)) {
    const noun = KIND_BY_TARGET_FIELD[inner];
    const value = input[inner];
    if (typeof value !== "string" && !isFilledTarget(reader.endpoint, inner)) continue;
    const among = await listTargets(noun, input, reader);
    const meant =
      typeof value === "string" ? createNameResolver(among)(value) : among.filter(({ isArchived }) => !isArchived);
    const owners = new Set(meant.flatMap(({ parentIds }) => parentIds));
    const kept = fitting.filter(({ id }) => owners.has(id));
    // An unknown inner name is reported later, by its own field.
    if (kept.length === 0) continue;
    if (kept.length < fitting.length) reason = ` with ${typeof value === "string" ? "this" : "a fitting"} ${noun}`;
    fitting = kept;
  }
  return { fitting, reason };
}

async function isSurroundingVisible(kind: TargetKind, input: Input, reader: TargetReader): Promise<boolean> {
  const { organizationId, workspaceId } = targetIds(input);
  const isWithinWorkspace = kind === "analysis" && workspaceId !== null;
  if (kind === "organization" || (organizationId === null && !isWithinWorkspace)) return true;
  const around = await listTargets(isWithinWorkspace ? "workspace" : "organization", input, reader);
  return around.some(({ id }) => id === (isWithinWorkspace ? workspaceId : organizationId));
}
