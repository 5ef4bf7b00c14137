import ROWS from "../../lists/units.json" with { type: "json" };

/** Unit as a factor to the base unit of its dimension. */
export interface Unit {
  dimension: string;
  factor: number;
}

const UNIT_BY_NAME: ReadonlyMap<string, Unit> = new Map(
  ROWS.flatMap(({ dimension, factor, names }) =>
    names.split(" ").map((name) => [name, { dimension, factor }] as const),
  ),
);

const STANDARD_PREFIX_PATTERN = /^(?:ansi|iso|led|cvia) (?=\S)/;

/** Unit by name; an unknown name is its own dimension. */
export function parseUnit(name: string): Unit {
  const folded = name.normalize("NFKC").toLowerCase().trim().replace(STANDARD_PREFIX_PATTERN, "");
  return UNIT_BY_NAME.get(folded) ?? { dimension: `"${folded}"`, factor: 1 };
}

export function findKnownUnit(name: string): Unit | undefined {
  const unit = parseUnit(name);
  return unit.dimension.startsWith('"') ? undefined : unit;
}
