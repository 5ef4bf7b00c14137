import { sortableTable } from "../shared/table-sort.ts";
import { sortOwnFirst, type Attributes, type Awareness, type Comparisons, type Perception } from "./view.ts";

// Sort keys of each table. Changes are sorted by absolute size.

type BrandRow = Perception["data"][number];

export const STANCES_TABLE = sortableTable("stances", {
  brand: ["asc", ({ brand }: BrandRow) => brand],
  winner: ["desc", (row: BrandRow) => row.winner_share],
  recommended: ["desc", (row: BrandRow) => row.recommended_share],
  caveated: ["desc", (row: BrandRow) => row.caveated_share],
  mentioned: ["desc", (row: BrandRow) => row.mentioned_share],
  discouraged: ["desc", (row: BrandRow) => row.discouraged_share],
  answers: ["desc", ({ answers }: BrandRow) => answers],
});

export const SENTIMENT_TABLE = sortableTable("sentiment", {
  brand: ["asc", ({ brand }: BrandRow) => brand],
  sentiment: ["desc", ({ sentiment }: BrandRow) => sentiment],
  change: ["desc", (row: BrandRow) => (row.sentiment === null ? null : row.sentiment_change?.delta)],
  pros: ["desc", (row: BrandRow) => row.pro_rate],
  cons: ["desc", (row: BrandRow) => row.con_rate],
  con_change: ["desc", (row: BrandRow) => row.con_rate_change?.delta],
  judged: ["desc", ({ judged }: BrandRow) => judged],
});

type PointRow = BrandRow["pros"][number];

export const POINTS_TABLE = sortableTable("points", {
  phrase: ["asc", ({ phrase }: PointRow) => phrase],
  answers: ["desc", ({ answers }: PointRow) => answers],
  asked: ["desc", ({ asked }: PointRow) => asked],
});

type Pair = Comparisons["data"][number];

export const PAIRS_TABLE = sortableTable("comparisons", {
  pair: ["asc", ({ brand, rival }: Pair) => `${brand}\n${rival}`],
  wins: ["desc", ({ wins }: Pair) => wins],
  losses: ["desc", ({ losses }: Pair) => losses],
  both: ["desc", ({ both }: Pair) => both],
  no_preference: ["desc", (row: Pair) => row.no_preference],
  win_rate: ["desc", (row: Pair) => row.win_rate],
  change: ["desc", (row: Pair) => (row.answers > 0 ? row.change?.delta : null)],
  stance: ["desc", (row: Pair) => row.stance_rate],
  first: ["desc", (row: Pair) => row.first_rate],
  second: ["desc", (row: Pair) => row.second_rate],
});

type AttributeRow = Attributes["data"][number];

export const ATTRIBUTES_TABLE = sortableTable("attributes", {
  attribute: ["asc", ({ attribute }: AttributeRow) => attribute],
  brand: ["asc", ({ brand }: AttributeRow) => brand],
  score: ["desc", ({ score }: AttributeRow) => score],
  change: ["desc", ({ change }: AttributeRow) => change?.delta],
  others: ["desc", (row: AttributeRow) => row.score_of_others],
  clauses: ["desc", ({ spans }: AttributeRow) => spans],
});

type AwarenessRow = Awareness["data"][number];

export const AWARENESS_TABLE = sortableTable("awareness", {
  brand: ["asc", ({ brand }: AwarenessRow) => brand],
  unaided: ["desc", ({ unaided }: AwarenessRow) => unaided],
  unaided_change: ["desc", (row: AwarenessRow) => row.unaided_change?.delta],
  aided: ["desc", ({ aided }: AwarenessRow) => aided],
  aided_change: ["desc", (row: AwarenessRow) => row.aided_change?.delta],
  look_alikes: ["desc", (row: AwarenessRow) => row.look_alikes],
  difference: ["desc", ({ difference }: AwarenessRow) => difference.delta],
});

/** By attribute with the own brand first, or as sorted in the URL with missing scores last. */
export function sortAttributes(
  rows: readonly AttributeRow[],
  query: URLSearchParams,
  ownId: string | null,
): readonly AttributeRow[] {
  const scored = (isScored: boolean) => (row: AttributeRow) => (row.score !== null) === isScored;
  const split = (some: readonly AttributeRow[]) => [...some.filter(scored(true)), ...some.filter(scored(false))];
  const names = [...new Set(rows.map(({ attribute }) => attribute))];
  const grouped = names.flatMap((name) =>
    split(
      sortOwnFirst(
        rows.filter(({ attribute }) => attribute === name),
        ownId,
      ),
    ),
  );
  return ATTRIBUTES_TABLE.isSorted(query) ? split(ATTRIBUTES_TABLE.sortRows(grouped, query)) : grouped;
}
