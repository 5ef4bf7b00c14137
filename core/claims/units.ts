import ROWS from "../../lists/units.json" with { type: "json" };

/** A unit as a factor to the basic one of its dimension. */
export interface Unit {
  dimension: string;
  factor: number;
}

/** By name, in lower case and in five languages. */
const UNITS: ReadonlyMap<string, Unit> = new Map(
  ROWS.flatMap(({ dimension, factor, names }) =>
    names.split(" ").map((name) => [name, { dimension, factor }] as const),
  ),
);

/** What stands before a unit and says how it was measured. */
const MEASURED_SO = /^(?:ansi|iso|led|cvia) (?=\S)/;

/** A unit by one of its names; what is not known is a dimension of its own. */
export function unitOf(name: string): Unit {
  const folded = name.normalize("NFKC").toLowerCase().trim().replace(MEASURED_SO, "");
  return UNITS.get(folded) ?? { dimension: `"${folded}"`, factor: 1 };
}

/** Undefined where no unit has this name. */
export function knownUnit(name: string): Unit | undefined {
  const unit = unitOf(name);
  return unit.dimension.startsWith('"') ? undefined : unit;
}
