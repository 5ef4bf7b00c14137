import { findNamed, listNamed, type NamedField, type NamedKind } from "../../tools/name-or.ts";
import type { Context } from "../../tools/endpoint.ts";
import { AppError, invalidInput, type FieldError } from "../../core/errors.ts";
import { MAX_SUGGESTED_FIELDS } from "../../core/request-bounds.ts";
import { meaningsIn, nearestIn, type Named } from "../../core/names.ts";
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
