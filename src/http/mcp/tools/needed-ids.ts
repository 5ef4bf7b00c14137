import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { findSynonym } from "./synonyms.ts";

/** Ids that tools take, in their parameters. */
export interface TakenIds {
  /** Singular, such as `brand_id`. */
  fields: ReadonlySet<string>;
  /** Last segments of lists whose rows have an endpoint, such as `brands`. */
  segments: ReadonlySet<string>;
}

const ID_PATTERN = /_ids?$/;
/** `parent_id` of a brand is a brand; `partner_brief_id` is the brief's number in the partner's system. */
const OTHER_IDS = ["parent_id", "partner_brief_id"];

export function collectTakenIds(endpoints: readonly AnyEndpoint[]): TakenIds {
  const inputs = endpoints.flatMap(({ input }) => Object.keys(input.shape));
  const segments = endpoints.flatMap(({ path }) =>
    path.split("/").filter((_, at, all) => all[at + 1]?.startsWith(":") === true),
  );
  return {
    fields: new Set([...inputs.filter((name) => ID_PATTERN.test(name)).map(toSingular), ...OTHER_IDS]),
    segments: new Set(segments),
  };
}

const toSingular = (field: string) => field.replace(/s$/, "");

/** True unless the field is an id that no tool takes, or that another column names. */
export function isNeededField(field: string, columns: readonly string[], { fields }: TakenIds): boolean {
  if (!ID_PATTERN.test(field)) return true;
  const noun = field.replace(ID_PATTERN, "");
  const names = new Set([noun, ...NAME_FIELDS.map((name) => `${noun}_${name}`)]);
  return fields.has(toSingular(field)) && !columns.some((name) => findSynonym(name, (one) => names.has(one)));
}

/** Fields by which tools accept a thing, besides its id. */
const NAME_FIELDS = ["name", "text", "title", "number", "url"];

/** True if a next call takes the `id` of the rows of this list. */
export function isOwnIdNeeded({ path }: AnyEndpoint, { segments }: TakenIds): boolean {
  return segments.has(path.slice(path.lastIndexOf("/") + 1));
}
