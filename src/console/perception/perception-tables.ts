import { sortableTable } from "../shared/table-sort.ts";
import { sortOwnFirst, type Attributes, type Awareness, type Comparisons, type Perception } from "./view.ts";

// Sort keys of each table. Changes are sorted by absolute size.

type Brand = Perception["data"][number];

export const STANCES_TABLE = sortableTable("stances", {
  brand: ["asc", ({ brand }: Brand) => brand],
  winner: ["desc", (row: Brand) => row.winner_share],
  recommended: ["desc", (row: Brand) => row.recommended_share],
  caveated: ["desc", (row: Brand) => row.caveated_share],
  mentioned: ["desc", (row: Brand) => row.mentioned_share],
  discouraged: ["desc", (row: Brand) => row.discouraged_share],
  answers: ["desc", ({ answers }: Brand) => answers],
});

export const SENTIMENT_TABLE = sortableTable("sentiment", {
  brand: ["asc", ({ brand }: Brand) => brand],
  sentiment: ["desc", ({ sentiment }: Brand) => sentiment],
  change: ["desc", (row: Brand) => (row.sentiment === null ? null : row.sentiment_change?.delta)],
  pros: ["desc", (row: Brand) => row.pro_rate],
  cons: ["desc", (row: Brand) => row.con_rate],
  con_change: ["desc", (row: Brand) => row.con_rate_change?.delta],
  judged: ["desc", ({ judged }: Brand) => judged],
});

type Point = Brand["pros"][number];

/** Used for both pros and cons of a brand. */
export const POINTS_TABLE = sortableTable("points", {
  phrase: ["asc", ({ phrase }: Point) => phrase],
  answers: ["desc", ({ answers }: Point) => answers],
  asked: ["desc", ({ asked }: Point) => asked],
});

type Pair = Comparisons["data"][number];

export const PAIRS_TABLE = sortableTable("comparisons", {
  pair: ["asc", ({ brand, rival }: Pair) => `${brand}\n${rival}`],
  wins: ["desc", ({ wins }: Pair) => wins],
  losses: ["desc", ({ losses }: Pair) => losses],
  both: ["desc", ({ both }: Pair) => both],
  win_rate: ["desc", (row: Pair) => row.win_rate],
  change: ["desc", (row: Pair) => (row.answers > 0 ? row.change?.delta : null)],
  stance: ["desc", (row: Pair) => row.stance_rate],
  first: ["desc", (row: Pair) => row.first_rate],
  second: ["desc", (row: Pair) => row.second_rate],
});

type Attribute = Attributes["data"][number];

export const ATTRIBUTES_TABLE = sortableTable("attributes", {
  attribute: ["asc", ({ attribute }: Attribute) => attribute],
  brand: ["asc", ({ brand }: Attribute) => brand],
  score: ["desc", ({ score }: Attribute) => score],
  change: ["desc", ({ change }: Attribute) => change?.delta],
  others: ["desc", ({ others }: Attribute) => others],
  clauses: ["desc", ({ spans }: Attribute) => spans],
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
  rows: readonly Attribute[],
  query: URLSearchParams,
  ownId: string | null,
): readonly Attribute[] {
  const scored = (isScored: boolean) => (row: Attribute) => (row.score !== null) === isScored;
  const split = (some: readonly Attribute[]) => [...some.filter(scored(true)), ...some.filter(scored(false))];
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
