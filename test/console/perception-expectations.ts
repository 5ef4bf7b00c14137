import { ATTRIBUTES, AWARENESS, COMPARISONS, PERCEPTION } from "./rest-endpoints.ts";
import {
  formatBarePercent,
  formatDecimals,
  readField,
  formatPercent,
  formatPoints as changed,
  formatWhole,
  formatFields,
  type RestReader,
  type Endpoint,
  type Fields,
  type Row,
} from "./rest-reader.ts";

// Parts of Perception by REST; empty for an analysis without opinions.

/** A mean that can be negative. */
const formatSignedMean = (value: number) => `${value > 0 ? "+" : ""}${formatDecimals(2)(value).replace("-", "−")}`;

const formatCount = (noun: string) => (value: number) => `${value} ${noun}${value === 1 ? "" : "s"}`;

/** Sort field of each table head. */
const SORTED_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stances: {
    brand: "brand",
    winner: "winner_share",
    recommended: "recommended_share",
    caveated: "caveated_share",
    mentioned: "mentioned_share",
    discouraged: "discouraged_share",
    answers: "answers",
  },
  sentiment: {
    brand: "brand",
    sentiment: "sentiment",
    change: "sentiment_change.delta",
    pros: "pro_rate",
    cons: "con_rate",
    con_change: "con_rate_change.delta",
    judged: "judged",
  },
  points: { phrase: "phrase", answers: "answers", asked: "asked" },
  comparisons: {
    pair: "brand",
    wins: "wins",
    losses: "losses",
    both: "both",
    no_preference: "no_preference",
    win_rate: "win_rate",
    change: "change.delta",
    stance: "stance_rate",
    first: "first_rate",
    second: "second_rate",
  },
  attributes: {
    attribute: "attribute",
    brand: "brand",
    score: "score",
    change: "change.delta",
    others: "score_of_others",
    clauses: "spans",
  },
  awareness: {
    brand: "brand",
    unaided: "unaided",
    unaided_change: "unaided_change.delta",
    aided: "aided",
    aided_change: "aided_change.delta",
    look_alikes: "look_alikes",
    difference: "difference.delta",
  },
};

/** Rows sorted like an address's table: missing values last, ties stable. */
export function sortTable(table: string, rows: readonly Row[], query: URLSearchParams): readonly Row[] {
  const sort = query.get(`${table}_sort`);
  if (sort === null) return rows;
  const field = SORTED_BY[table]?.[sort];
  if (field === undefined) throw new Error(`What ${table} is sorted by as ${sort} is not known here.`);
  const way = query.get(`${table}_direction`) === "desc" ? -1 : 1;
  const known = rows.filter((row) => (readField(row, field) ?? null) !== null);
  const sorted = known.toSorted((a, b) => {
    const [left, right] = [readField(a, field), readField(b, field)];
    if (typeof left === "number") return way * (left - Number(right));
    const byBrand = String(left).localeCompare(String(right), "en");
    // A pair is named by both of its brands.
    return way * (byBrand || rivalOf(a).localeCompare(rivalOf(b), "en"));
  });
  return [...sorted, ...rows.filter((row) => !known.includes(row))];
}

function rivalOf({ rival }: Row): string {
  return typeof rival === "string" ? rival : "";
}

function ownFirst(rows: readonly Row[], own: string): Row[] {
  const isOwn = (row: Row) => Number(row["brand_id"] === own);
  return rows.toSorted((a, b) => isOwn(b) - isOwn(a));
}

/** Brands of a table, the own one first unless the address sorts it. */
export function sortBrandsOf(table: string) {
  return (rows: readonly Row[], query: URLSearchParams, own: string) => sortTable(table, ownFirst(rows, own), query);
}

async function rowsOf({ rest, own, query }: RestReader, endpoint: Endpoint, table = ""): Promise<readonly Row[]> {
  const { data } = await rest(endpoint);
  return sortBrandsOf(table)(data as Row[], query, own);
}

const STANCES: Fields = Object.fromEntries([
  ...["winner", "recommended", "caveated", "mentioned", "discouraged"].map((one) => [`${one}_share`, formatPercent]),
  ["answers", formatWhole],
]);

/** Rows of brands that some answer names. */
async function namedRows(asked: RestReader, table?: string): Promise<readonly Row[]> {
  const rows = await rowsOf(asked, PERCEPTION, table);
  return rows.some((row) => Number(row["answers"]) > 0) ? rows : [];
}

export async function expectedStances(asked: RestReader): Promise<string[][]> {
  return (await namedRows(asked, "stances")).map((row) => formatFields(row, STANCES));
}

export async function expectedSentiment(asked: RestReader): Promise<string[][]> {
  const mean: Fields = {
    sentiment: formatSignedMean,
    sentiment_ci_low: formatSignedMean,
    sentiment_ci_high: formatSignedMean,
  };
  const shares: Fields = {
    pro_rate: formatPercent,
    pro_ci_low: formatBarePercent,
    pro_ci_high: formatPercent,
    con_rate: formatPercent,
    con_ci_low: formatBarePercent,
    con_ci_high: formatPercent,
    "con_rate_change.delta": changed,
    judged: formatWhole,
    answers: formatWhole,
  };
  return (await namedRows(asked, "sentiment")).map((row) => {
    const change: Fields = row["sentiment"] === null ? {} : { "sentiment_change.delta": formatSignedMean };
    return formatFields(row, { ...mean, ...change, ...shares });
  });
}

/** Pros of a brand, then its cons. */
function pointsOf({ pros, cons }: Row, query: URLSearchParams): (Row & { polarity: string })[] {
  const of = (polarity: string, all: unknown) =>
    sortTable("points", all as Row[], query).map((point) => ({ ...point, polarity }));
  return [...of("pro", pros), ...of("con", cons)];
}

/** Pros and cons, the own brand's first. */
export async function expectedPoints(asked: RestReader): Promise<string[][]> {
  const all = (await namedRows(asked)).flatMap((row) => pointsOf(row, asked.query));
  return all.map((point) => formatFields(point, { answers: formatWhole, asked: formatWhole }));
}

/** Rows of the pros and cons file, each with its quoted sentence. */
export function expectedPointRows(rows: readonly Row[], query: URLSearchParams, own: string): Row[] {
  return ownFirst(rows, own).flatMap((row) =>
    pointsOf(row, query).map((point) => {
      const isOf = (one: Row) => one["polarity"] === point.polarity && one["head"] === point["head"];
      const { answer_id, text } = (row["quotations"] as Row[]).find(isOf) ?? {};
      return { ...point, brand: row["brand"], answer_id, text };
    }),
  );
}

/** The matrix of wins and losses, and below it the pairs. */
export async function expectedComparisons({ rest, own, query }: RestReader): Promise<string[][]> {
  const rows = (await rest(COMPARISONS)).data as Row[];
  const pairs = rows.filter((row) => Number(row["answers"]) + Number(row["stance_answers"] ?? 0) > 0);
  if (pairs.length === 0) return [];
  const brands = [...new Set(rows.flatMap((row) => [row["brand_id"], row["rival_id"]]))].toSorted(
    (a, b) => Number(b === own) - Number(a === own),
  );
  const cell = (brand: unknown, other: unknown): string[] => {
    const row = rows.find((one) => one["brand_id"] === brand && one["rival_id"] === other);
    const back = rows.find((one) => one["brand_id"] === other && one["rival_id"] === brand);
    const seen = row ?? back;
    if (!seen || seen["win_rate"] === null) return [];
    return formatFields(
      seen,
      row ? { wins: formatWhole, losses: formatWhole } : { losses: formatWhole, wins: formatWhole },
    );
  };
  const rates: Fields = { stance_rate: formatPercent, first_rate: formatPercent, second_rate: formatPercent };
  const counts: Fields = { wins: formatWhole, losses: formatWhole, both: formatWhole, no_preference: formatWhole };
  const rate: Fields = { win_rate: formatPercent, ci_low: formatBarePercent, ci_high: formatPercent };
  return [
    ...brands.map((brand) => brands.flatMap((other) => cell(brand, other))),
    ...sortTable("comparisons", pairs, query).map((row) => {
      const change: Fields = Number(row["answers"]) > 0 ? { "change.delta": changed } : {};
      return formatFields(row, { ...counts, ...rate, ...change, ...rates });
    }),
  ];
}

function scoredFirst(rows: readonly Row[]): Row[] {
  return [...rows.filter(({ score }) => score !== null), ...rows.filter(({ score }) => score === null)];
}

/**
 * Scores by attribute in REST order, the own brand first and missing scores last; or as the address
 * sorts.
 */
export function sortAttributes(rows: readonly Row[], query: URLSearchParams, own: string): Row[] {
  const names = [...new Set(rows.map(({ attribute }) => attribute))];
  const byName = names.flatMap((name) =>
    scoredFirst(
      ownFirst(
        rows.filter(({ attribute }) => attribute === name),
        own,
      ),
    ),
  );
  return query.has("attributes_sort") ? scoredFirst(sortTable("attributes", byName, query)) : byName;
}

/** Scores; adjacent rows without score are merged per attribute. */
export async function expectedAttributes(asked: RestReader): Promise<string[][]> {
  const rows = sortAttributes((await asked.rest(ATTRIBUTES)).data as Row[], asked.query, asked.own);
  const fields: Fields = {
    score: formatSignedMean,
    ci_low: formatSignedMean,
    ci_high: formatSignedMean,
    "change.delta": formatSignedMean,
    others: formatSignedMean,
    spans: formatWhole,
  };
  const without = (name: unknown) => rows.filter(({ attribute, score }) => attribute === name && score === null);
  return rows.flatMap((row) => {
    if (row["score"] !== null) return [formatFields(row, fields)];
    const all = without(row["attribute"]);
    return all[0] === row ? [all.flatMap((one) => formatFields(one, { spans: formatCount("clause") }))] : [];
  });
}

export async function expectedAwareness(asked: RestReader): Promise<string[][]> {
  const aided: Fields = {
    aided: formatPercent,
    aided_ci_low: formatBarePercent,
    aided_ci_high: formatPercent,
    "aided_change.delta": changed,
    look_alikes: formatPercent,
    "difference.delta": formatPercent,
    "difference.ci_low": formatBarePercent,
    "difference.ci_high": formatPercent,
  };
  return (await rowsOf(asked, AWARENESS, "awareness")).map((row) =>
    formatFields(row, {
      unaided: formatPercent,
      unaided_ci_low: formatBarePercent,
      unaided_ci_high: formatPercent,
      ...(row["answers"] === 0 ? {} : { "unaided_change.delta": changed }),
      ...(Number(row["asked"]) > 0 ? aided : {}),
    }),
  );
}
