import { ATTRIBUTES, AWARENESS, COMPARISONS, PERCEPTION } from "./rest-endpoints.ts";
import {
  bare,
  decimals,
  fieldOf,
  percent,
  points as changed,
  whole,
  written,
  type Asked,
  type Endpoint,
  type Fields,
  type Row,
} from "./rest-figures.ts";

// Parts of Perception by REST; empty for an analysis without opinions.

/** A mean that can be negative. */
const balance = (value: number) => `${value > 0 ? "+" : ""}${decimals(2)(value).replace("-", "−")}`;

const counted = (noun: string) => (value: number) => `${value} ${noun}${value === 1 ? "" : "s"}`;

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
    others: "others",
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
export function tableInOrder(table: string, rows: readonly Row[], query: URLSearchParams): readonly Row[] {
  const sort = query.get(`${table}_sort`);
  if (sort === null) return rows;
  const field = SORTED_BY[table]?.[sort];
  if (field === undefined) throw new Error(`What ${table} is sorted by as ${sort} is not known here.`);
  const way = query.get(`${table}_direction`) === "desc" ? -1 : 1;
  const known = rows.filter((row) => (fieldOf(row, field) ?? null) !== null);
  const sorted = known.toSorted((a, b) => {
    const [left, right] = [fieldOf(a, field), fieldOf(b, field)];
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
export function brandsIn(table: string) {
  return (rows: readonly Row[], query: URLSearchParams, own: string) => tableInOrder(table, ownFirst(rows, own), query);
}

async function rowsOf({ rest, own, query }: Asked, endpoint: Endpoint, table = ""): Promise<readonly Row[]> {
  const { data } = await rest(endpoint);
  return brandsIn(table)(data as Row[], query, own);
}

const STANCES: Fields = Object.fromEntries([
  ...["winner", "recommended", "caveated", "mentioned", "discouraged"].map((one) => [`${one}_share`, percent]),
  ["answers", whole],
]);

/** Rows of brands that some answer names. */
async function namedRows(asked: Asked, table?: string): Promise<readonly Row[]> {
  const rows = await rowsOf(asked, PERCEPTION, table);
  return rows.some((row) => Number(row["answers"]) > 0) ? rows : [];
}

export async function stances(asked: Asked): Promise<string[][]> {
  return (await namedRows(asked, "stances")).map((row) => written(row, STANCES));
}

export async function sentiment(asked: Asked): Promise<string[][]> {
  const mean: Fields = { sentiment: balance, sentiment_ci_low: balance, sentiment_ci_high: balance };
  const shares: Fields = {
    pro_rate: percent,
    pro_ci_low: bare,
    pro_ci_high: percent,
    con_rate: percent,
    con_ci_low: bare,
    con_ci_high: percent,
    "con_rate_change.delta": changed,
    judged: whole,
    answers: whole,
  };
  return (await namedRows(asked, "sentiment")).map((row) => {
    const change: Fields = row["sentiment"] === null ? {} : { "sentiment_change.delta": balance };
    return written(row, { ...mean, ...change, ...shares });
  });
}

/** Pros of a brand, then its cons. */
function pointsOf({ pros, cons }: Row, query: URLSearchParams): (Row & { polarity: string })[] {
  const of = (polarity: string, all: unknown) =>
    tableInOrder("points", all as Row[], query).map((point) => ({ ...point, polarity }));
  return [...of("pro", pros), ...of("con", cons)];
}

/** Pros and cons, the own brand's first. */
export async function pointCounts(asked: Asked): Promise<string[][]> {
  const all = (await namedRows(asked)).flatMap((row) => pointsOf(row, asked.query));
  return all.map((point) => written(point, { answers: whole, asked: whole }));
}

/** Rows of the pros and cons file, each with its quoted sentence. */
export function pointsInFile(rows: readonly Row[], query: URLSearchParams, own: string): Row[] {
  return ownFirst(rows, own).flatMap((row) =>
    pointsOf(row, query).map((point) => {
      const isOf = (one: Row) => one["polarity"] === point.polarity && one["head"] === point["head"];
      const { answer_id, text } = (row["quotations"] as Row[]).find(isOf) ?? {};
      return { ...point, brand: row["brand"], answer_id, text };
    }),
  );
}

/** The matrix of wins and losses, and below it the pairs. */
export async function comparisons({ rest, own, query }: Asked): Promise<string[][]> {
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
    return written(seen, row ? { wins: whole, losses: whole } : { losses: whole, wins: whole });
  };
  const rates: Fields = { stance_rate: percent, first_rate: percent, second_rate: percent };
  const counts: Fields = { wins: whole, losses: whole, both: whole };
  const rate: Fields = { win_rate: percent, ci_low: bare, ci_high: percent };
  return [
    ...brands.map((brand) => brands.flatMap((other) => cell(brand, other))),
    ...tableInOrder("comparisons", pairs, query).map((row) => {
      const change: Fields = Number(row["answers"]) > 0 ? { "change.delta": changed } : {};
      return written(row, { ...counts, ...rate, ...change, ...rates });
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
export function attributesInOrder(rows: readonly Row[], query: URLSearchParams, own: string): Row[] {
  const names = [...new Set(rows.map(({ attribute }) => attribute))];
  const byName = names.flatMap((name) =>
    scoredFirst(
      ownFirst(
        rows.filter(({ attribute }) => attribute === name),
        own,
      ),
    ),
  );
  return query.has("attributes_sort") ? scoredFirst(tableInOrder("attributes", byName, query)) : byName;
}

/** Scores; adjacent rows without score are merged per attribute. */
export async function attributes(asked: Asked): Promise<string[][]> {
  const rows = attributesInOrder((await asked.rest(ATTRIBUTES)).data as Row[], asked.query, asked.own);
  const fields: Fields = {
    score: balance,
    ci_low: balance,
    ci_high: balance,
    "change.delta": balance,
    others: balance,
    spans: whole,
  };
  const without = (name: unknown) => rows.filter(({ attribute, score }) => attribute === name && score === null);
  return rows.flatMap((row) => {
    if (row["score"] !== null) return [written(row, fields)];
    const all = without(row["attribute"]);
    return all[0] === row ? [all.flatMap((one) => written(one, { spans: counted("clause") }))] : [];
  });
}

export async function awareness(asked: Asked): Promise<string[][]> {
  const aided: Fields = {
    aided: percent,
    aided_ci_low: bare,
    aided_ci_high: percent,
    "aided_change.delta": changed,
    look_alikes: percent,
    "difference.delta": percent,
    "difference.ci_low": bare,
    "difference.ci_high": percent,
  };
  return (await rowsOf(asked, AWARENESS, "awareness")).map((row) =>
    written(row, {
      unaided: percent,
      unaided_ci_low: bare,
      unaided_ci_high: percent,
      ...(row["answers"] === 0 ? {} : { "unaided_change.delta": changed }),
      ...(Number(row["asked"]) > 0 ? aided : {}),
    }),
  );
}
