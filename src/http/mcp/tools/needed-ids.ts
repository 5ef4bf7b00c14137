import { KIND_BY_TARGET_FIELD } from "../../../call/list-targets.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { KIND_BY_ID_FIELD } from "../../../../tools/name-or-id.ts";
import { findSynonym } from "./synonyms.ts";

type Fields = Record<string, unknown>;

/** Ids that tools take, in their parameters. */
export interface TakenIds {
  /** Singular, such as `brand_id`. */
  fields: ReadonlySet<string>;
  /** Id of a list's rows by the last segment of its path, such as `brand_id` of `brands`. */
  fieldBySegment: ReadonlyMap<string, string>;
}

const ID_PATTERN = /_ids?$/;
/** A brand, and the number of a brief at the partner, which a person needs there. */
const OTHER_IDS = ["parent_id", "partner_brief_id"];

export function collectTakenIds(endpoints: readonly AnyEndpoint[]): TakenIds {
  const inputs = endpoints.flatMap(({ input }) => Object.keys(input.shape));
  const items = endpoints.flatMap(({ path }) => [...path.matchAll(/([\w-]+)\/:(\w+)/g)]);
  return {
    fields: new Set([...inputs.filter((name) => ID_PATTERN.test(name)).map(toSingular), ...OTHER_IDS]),
    fieldBySegment: new Map(items.map(([, segment = "", field = ""]) => [segment, field])),
  };
}

const toSingular = (field: string) => field.replace(/s$/, "");

/** True unless the field is an id that no tool takes, or that has a name beside it. */
export function isNeededField(field: string, columns: readonly string[], { fields }: TakenIds): boolean {
  if (!ID_PATTERN.test(field)) return true;
  const noun = field.replace(ID_PATTERN, "");
  const names = new Set([noun, ...NAME_FIELDS.map((name) => `${noun}_${name}`)]);
  return fields.has(toSingular(field)) && !columns.some((name) => findSynonym(name, (one) => names.has(one)));
}

/** Fields by which tools accept a thing, besides its id. */
const NAME_FIELDS = ["name", "text", "title", "number", "url"];

/**
 * True if a next call takes the `id` of these rows: tools accept no name of the thing, names repeat,
 * or rows refer to each other.
 */
export function isOwnIdNeeded({ path }: AnyEndpoint, rows: readonly Fields[], taken: TakenIds): boolean {
  const field = taken.fieldBySegment.get(path.slice(path.lastIndexOf("/") + 1));
  if (field === undefined) return false;
  if (rows.some((row) => typeof row["parent_id"] === "string")) return true;
  if (!(field in KIND_BY_ID_FIELD) && !(field in KIND_BY_TARGET_FIELD)) return true;
  const name = NAME_FIELDS.find((one) => rows.every((row) => (row[one] ?? null) !== null));
  return name === undefined || new Set(rows.map((row) => row[name])).size < rows.length;
}
